# The command with its C++ routers in a container:
#     docker build -t interlace . && docker run --rm -v "$PWD:/data" interlace traffic torus:8x8 --load 0.3
# scripts/setup installs what it needs, as on any Debian 12.
FROM debian:12
COPY . /opt/interlace
RUN /opt/interlace/scripts/setup dev interlace_command && ln -s /opt/interlace/build/dev/bin/interlace /usr/local/bin/
WORKDIR /data
ENTRYPOINT ["interlace"]

Creator "interlace"
graph [
  directed 1
  node [ id 3 label "a [b]" ]
  node [ id 1 graphics [ x 1.5 ] ]  # a comment
  edge [ source 3 target 1 ]
]

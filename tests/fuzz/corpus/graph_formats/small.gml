graph [
  node [
    id 0
    label "alice"
    age 31
    kind "cat"
    ok 1
  ]
  node [
    id 1
    label "B&#243;b"
    age 45.5
    kind "dog"
    ok 0
  ]
  node [
    id 2
    label "carol"
    age 27
    kind "cat"
    ok 1
  ]
  edge [
    source 0
    target 1
    weight 0.5
    length 3
  ]
  edge [
    source 1
    target 2
    weight 2.0
    length 1
  ]
]

graph [ node [ id 1 label "&&&amp;&#233;&#99999999;&quot" ] node [ id 2 label "&;&#;" ] edge [ source 1 target 2 ] ]

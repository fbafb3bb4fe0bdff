# Runs the program on data that is damaged, hostile or not what it seems: cmake -DHGNET=<program> -P data_files_test.cmake

# Every answer comes at once: a program that waits is ended, and its exit code is then a text.
function(expect code out_pattern err_pattern)
  execute_process(COMMAND ${HGNET} ${ARGN} RESULT_VARIABLE got OUTPUT_VARIABLE out ERROR_VARIABLE err TIMEOUT 60)
  string(JOIN " " line hgnet ${ARGN})
  if(NOT got STREQUAL code OR NOT out MATCHES "${out_pattern}" OR NOT err MATCHES "${err_pattern}")
    message(SEND_ERROR "${line}: exit code ${got}, expected ${code}, '${out_pattern}', '${err_pattern}'\n${out}${err}")
  endif()
endfunction()

set(work ${CMAKE_CURRENT_BINARY_DIR}/data-files-test)
file(REMOVE_RECURSE ${work})
set(ENV{HGNET_CACHE} ${work}/cache)
set(ENV{HGNET_DATA} ${work}/root)
file(WRITE ${work}/net/nodes.csv "id,x,label\na,0,cat\nb,1,cat\nc,2,dog\nd,3,dog\n")
file(WRITE ${work}/net/edges.csv "source,target\na,b\nb,c\nc,d\n")

# Nesting.
string(REPEAT "[" 100000 open)
string(REPEAT "]" 100000 close)
string(REPEAT "a." 100000 keys)
file(WRITE ${work}/deep.json "{\"0\": ${open}${close}}")
file(WRITE ${work}/deep.toml "${keys}a = 1\n")
expect(1 "^$" "deep.json:1: is nested deeper than 64 levels" inspect ${work}/net --split ${work}/deep.json)
expect(1 "^$" "deep.toml:1: is nested deeper than 64 levels" train --dataset ${work}/net --config ${work}/deep.toml)

# Pipes and devices.
execute_process(COMMAND mkfifo ${work}/pipe.txt ${work}/pipe.json ${work}/pipe.zip COMMAND_ERROR_IS_FATAL ANY)
expect(1 "^$" "pipe.txt: is a pipe; expected a regular file" inspect ${work}/pipe.txt)
expect(1 "^$" "pipe.zip: is a pipe" inspect ${work}/pipe.zip)
expect(1 "^$" "pipe.json: is a pipe" inspect ${work}/net --split ${work}/pipe.json)
expect(1 "^$" "pipe.txt: is a pipe" hierarchy --graph ${work}/pipe.txt)
expect(1 "^$" "pipe.txt: is a pipe" train --dataset ${work}/net --config ${work}/pipe.txt)
expect(1 "^$" "/dev/zero: is a device" inspect /dev/zero)

# Folds.
expect(2 "^$" "2147483647 folds of 4 labelled samples" inspect ${work}/net --split folds:2147483647)
expect(2 "^$" "2147483647 folds of 4 labelled samples" train --dataset ${work}/net --split folds:2147483647)
expect(0 "labels +cat: 2, dog: 2" "^$" inspect ${work}/net)

# Labels of which only some are numbers; names that are not text.
file(WRITE ${work}/mixed/nodes.csv "id,x,label,split\na,0,0.5,train\nb,1,1,train\nc,2,N/A,val\nd,3,2,test\n")
file(COPY ${work}/net/edges.csv DESTINATION ${work}/mixed)
expect(1 "^$" "nodes.csv:4: column 'label': 'N/A' is not a number.*Name it with --targets classes or --targets regression" inspect
       ${work}/mixed)
expect(0 "node classification.*labels +0.5: 1, 1: 1, 2: 1, N/A: 1" "^$" inspect ${work}/mixed --targets classes)
expect(1 "^$" "nodes.csv:4: column 'label': 'N/A'; expected a number" inspect ${work}/mixed --targets regression)
expect(1 "^$" "Name it with --targets" train --dataset ${work}/mixed --model gcn)
expect(0 "Run folder" "" train --dataset ${work}/mixed --model gcn --epochs 1 --targets classes --out ${work}/run)
file(READ ${work}/run/config.toml config)
if(NOT config MATCHES "targets = \"classes\"")
  message(SEND_ERROR "train --targets: not in config.toml\n${config}")
endif()
expect(0 "accuracy" "^$" evaluate ${work}/run)
expect(2 "^$" "--targets.*did you mean classes" inspect ${work}/mixed --targets classses)
string(ASCII 27 escape)
file(WRITE ${work}/red/nodes.csv "id,label\na,${escape}[31mred\nb,x\n")
file(WRITE ${work}/red/edges.csv "source,target\na,b\n")
expect(1 "^$" "'.x1b.31mred' has a control character" inspect ${work}/red)

# Weights that give no degree.
file(WRITE ${work}/minus/nodes.csv "id,x,label,split\na,0,u,train\nb,1,v,train\nc,2,u,val\nd,3,v,test\n")
file(WRITE ${work}/minus/edges.csv "source,target,weight\na,b,-7\nb,c,1\nc,d,1\n")
expect(1 "" "the edge between nodes 'a' and 'b' has the weight -7. gcn takes no negative weights" train --dataset ${work}/minus --model gcn --epochs 1 --out ${work}/minus-run)

# What cannot be drawn.
expect(1 "^$" "65536 noise features of 3840000 nodes in all; a data set has at most" generate --graph grid:16x16 --noise 65536
       --out ${work}/drawn)
expect(1 "^$" "samples of 256 nodes; a data set has at most 2147483646 nodes" generate --graph grid:16x16 --samples 1000000000000)
expect(2 "^$" "expected at most 16777216 nodes" generate --graph grid:1000000x1000000)
expect(2 "^$" "expected at most 16777216 nodes" hierarchy --graph path:1000000000)
expect(2 "^$" "--seed" generate --graph grid:8x8 --seed -1)
expect(2 "^$" "--samples" inspect cc-grid8 --samples -5)
if(EXISTS ${work}/drawn)
  message(SEND_ERROR "generate left ${work}/drawn behind")
endif()

# Nothing known to verify it by.
file(WRITE ${work}/mirror/readme.txt "an archive of something")
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ogb-clintox.zip --format=zip readme.txt WORKING_DIRECTORY ${work}/mirror
                COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY ${work}/mirror/ogb)
file(RENAME ${work}/mirror/ogb-clintox.zip ${work}/mirror/ogb/clintox.zip)
expect(0 "1 of 1 files fetched, 0 verified by SHA-256 .no sum is known of the rest." "" download ogbg-molclintox --mirror
       file://${work}/mirror)
expect(0 "\"verified\": false" "" download ogbg-molclintox --json --mirror file://${work}/mirror)

# Without a home of their own, data sets go nowhere.
foreach(variable HOME XDG_CACHE_HOME HGNET_CACHE HGNET_DATA)
  unset(ENV{${variable}})
endforeach()
file(MAKE_DIRECTORY ${work}/shared)
set(ENV{TMPDIR} ${work}/shared)
expect(1 "^$" "of HGNET_DATA, XDG_CACHE_HOME and HOME none is set" download cora)
expect(1 "^$" "none is set" inspect cora)
expect(0 "nodes +4" "^$" inspect ${work}/net)
file(GLOB left ${work}/shared/*)
if(left)
  message(SEND_ERROR "without HOME: ${left} in a shared folder")
endif()
file(REMOVE_RECURSE ${work})

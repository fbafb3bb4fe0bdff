# Settings without reason, and runs that were touched: cmake -DHGNET=<program> -P touched_test.cmake

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

set(work ${CMAKE_CURRENT_BINARY_DIR}/touched-test)
file(REMOVE_RECURSE ${work})
set(ENV{HGNET_CACHE} ${work}/cache)
set(net ${work}/net)
file(WRITE ${net}/nodes.csv "id,height,age,label,split\na,1.5,3,x,train\nb,0.2,9,y,train\nc,1.4,2,x,val\nd,0.3,8,y,test\n")
file(WRITE ${net}/edges.csv "source,target\na,b\nc,a\nb,d\n")

# Sizes from options and from TOML.
expect(2 "^$" "layers is 1000000. expected at most 1000" train --dataset ${net} --model gcn --layers 1000000 --out ${work}/no)
expect(2 "^$" "levels is 2147483647. expected at most 1000" train --dataset ${net} --model g-unet --levels 2147483647 --out ${work}/no)
expect(2 "^$" "[0-9.e+]+ parameters or more. expected at most 1e.09" train --dataset ${net} --model gcn --hidden 100000 --layers 3
       --out ${work}/no)
expect(2 "^$" "later-heads is 2147483647. expected at most 1000" train --dataset ${net} --model gat --layers 3 --later-heads 2147483647
       --out ${work}/no)
expect(2 "^$" "split own has no folds" train --dataset ${net} --model gcn --split own --fold 1 --out ${work}/no)
expect(2 "^$" "a million fits at most" train --dataset ${net} --split folds:3 --model gcn,gin,gat,cheb --seeds 100000 --fold 0,1,2
       --out ${work}/no)
file(WRITE ${work}/deep.toml "levels = 1000000\n")
expect(2 "^$" "levels is 1000000. expected at most 1000" train --dataset ${net} --model hgnet --config ${work}/deep.toml --out ${work}/no)
file(WRITE ${work}/fold.toml "split = \"folds:3\"\nfold = -5\n")
expect(2 "^$" "fold is -5. expected 0 or more" train --dataset ${net} --model gcn --config ${work}/fold.toml --out ${work}/no)
expect(2 "^$" "'-1'. expected a number of at least 0" train --dataset ${net} --model gcn --fold=-1 --out ${work}/no)

expect(2 "^$" "--layers: '2147483648'. expected a whole number, not too large" train --dataset ${net} --layers 2147483648)
expect(2 "^$" "--checkpoint-seconds: 'nan'. expected a number of at least 0" train --dataset ${net} --checkpoint-seconds nan)
expect(2 "^$" "--checkpoint-seconds: '-1'. expected a number of at least 0" train --dataset ${net} --checkpoint-seconds -1)
expect(2 "^$" "--resume: there is no folder ${work}/nosuch" train --resume ${work}/nosuch)
expect(2 "^$" "--resume: expected a folder, not the file ${net}/nodes.csv" train --resume ${net}/nodes.csv)
expect(2 "^$" "error: --workers: the samples of .*net are nodes of one graph, which processes cannot share[^\n]*\nRun[^\n]*\n$" train
       --dataset ${net} --model gcn --workers 64 --out ${work}/no)
expect(2 "^$" "expected a number of steps up to 1000" train --dataset ${net} --split sanitized-walk:1000000000 --out ${work}/no)

# What cannot be read back is refused when it is given.
expect(2 "^$" "clip is not a finite number" train --dataset ${net} --model gcn --clip inf --out ${work}/no)
expect(2 "^$" "seed is 9223372036854775808. expected at most 9223372036854775807" train --dataset ${net} --model gcn
       --seed 0,9223372036854775808 --out ${work}/no)
string(ASCII 7 bell)
file(COPY ${net}/nodes.csv ${net}/edges.csv DESTINATION ${work}/be${bell}ll)
expect(1 "^$" "the name .be.x07ll. has a control character" train --dataset ${work}/be${bell}ll --model gcn
       --out ${work}/no)
if(EXISTS ${work}/no)
  message(SEND_ERROR "a refused run has a folder")
endif()

# A run that was killed before config.toml was in place is begun again, alone and within its plan.
file(WRITE ${work}/run/columns.json.77-1 "{")
expect(0 "Run folder" "" train --dataset ${net} --model gcn --epochs 2 --out ${work}/run)
expect(0 "2 of 2 fits" "" train --dataset ${net} --model gcn --epochs 2 --seeds 2 --out ${work}/many)
file(REMOVE_RECURSE ${work}/many/seed-1)
file(WRITE ${work}/many/seed-1/columns.json "{")
expect(0 "2 of 2 fits" "" train --resume ${work}/many)

# The result of another fit.
file(READ ${work}/many/seed-1/result.json own)
configure_file(${work}/many/seed-0/result.json ${work}/many/seed-1/result.json COPYONLY)
expect(1 "^$" "seed-1/result.json: the fit ran with seed 0, but config.toml has 1" report ${work}/many --markdown -)
file(WRITE ${work}/many/seed-1/result.json "${own}")
expect(0 "gcn|GCN" "" report ${work}/many --markdown -)

# Searches.
file(WRITE ${work}/space.toml "hidden = [8, 100000]\nlayers = [3]\n")
set(tune tune --dataset ${net} --model gcn --epochs 2 --quiet)
expect(2 "^$" "--space: .*parameters or more" ${tune} --space ${work}/space.toml --out ${work}/no)
expect(2 "^$" "trials" ${tune} --trials 1000000000 --out ${work}/no)
file(WRITE ${work}/space.toml "init-from = [\"${work}/net\"]\n")
expect(2 "^$" "--space: no fit in " ${tune} --space ${work}/space.toml --out ${work}/failed)
expect(0 "best: trial" "" ${tune} --trials 2 --out ${work}/search)
file(READ ${work}/search/tune.json search)
foreach(change "\"epochs\": 2;\"epochs\": -2" "\"epochs\": 2;\"epochs\": 20000000" "\"keep\": 1;\"keep\": 0"
        "\"round\": 0;\"round\": 7" "\"trial\": 0;\"trial\": -1" "    -1\n;    -17\n")
  list(GET change 0 before)
  list(GET change 1 after)
  string(REPLACE "${before}" "${after}" edited "${search}")
  file(WRITE ${work}/search/tune.json "${edited}")
  expect(1 "^$" "tune.json: " tune --resume ${work}/search)
endforeach()

# Plans.
file(READ ${work}/many/plan.json plan)
foreach(bad "{\"seeds\": [0], \"folds\": [-1], \"configs\": []}" "{\"seeds\": [], \"folds\": [-1], \"configs\": []}"
        "{\"seeds\": [0], \"folds\": [-7], \"configs\": [\"dataset = 'cora'\"]}" "{}" "")
  file(WRITE ${work}/many/plan.json "${bad}")
  expect(1 "^$" "plan.json: " train --resume ${work}/many)
endforeach()
string(REPLACE "lr = 0.0" "lr = 0.5" edited "${plan}")
file(WRITE ${work}/many/plan.json "${edited}")
expect(1 "^$" "plan.json: it is damaged or was edited: the checksum is wrong" train --resume ${work}/many)
string(REPEAT "[" 100000 brackets)
file(WRITE ${work}/many/plan.json "${brackets}")
expect(1 "^$" "plan.json: .*nested more than 64 deep" train --resume ${work}/many)
file(WRITE ${work}/many/plan.json "${plan}")

# Files of a run that do not go together.
file(READ ${work}/run/config.toml config)
string(REPLACE "\nactivation = \"elu\"" "\nactivation = \"relu\"" edited "${config}")
file(READ ${work}/run/result.json result)
file(REMOVE ${work}/run/result.json)
file(WRITE ${work}/run/config.toml "${edited}")
foreach(command evaluate probe)
  expect(1 "^$" "best.safetensors: not the model in config.toml .there, and here.: activation is \"relu\" and \"elu\""
         ${command} ${work}/run)
endforeach()
expect(1 "^$" "checkpoint.safetensors: .*the settings have changed .now, and when it began.: activation" train --resume ${work}/run)
file(WRITE ${work}/run/config.toml "${config}")
file(WRITE ${work}/run/result.json "${brackets}")
expect(1 "^$" "result.json:1: not the record of a fit: nested too deeply" train --resume ${work}/run)
file(WRITE ${work}/run/result.json "${result}")

# Columns in another order: probe finds them by name, as predict does.
file(WRITE ${work}/order/net/nodes.csv "id,age,height,label,split\na,3,1.5,x,train\nb,9,0.2,y,train\nc,2,1.4,x,val\nd,8,0.3,y,test\n")
file(COPY ${net}/edges.csv DESTINATION ${work}/order/net)
expect(0 "mean" "^$" probe ${work}/run)
file(READ ${work}/run/probe.jsonl expected)
file(RENAME ${net} ${work}/net.kept)
file(RENAME ${work}/order/net ${net})
expect(0 "mean" "^$" probe ${work}/run)
file(READ ${work}/run/probe.jsonl swapped)
if(NOT expected STREQUAL swapped)
  message(SEND_ERROR "probe: columns in another order give\n${swapped}instead of\n${expected}")
endif()

# A damaged result is named, and does not stop the others.
set(fit ${work}/paper/table1/cora/public/gcn-2/seed-0)
file(WRITE ${fit}/config.toml "${config}")
file(WRITE ${fit}/result.json "{")
set(cora reproduce table1 --dataset cora --model gcn --root ${work}/nosuchroot --out ${work}/paper)
expect(0 "0 of 10 fits done" "^$" ${cora} --plan)
expect(1 "^$" "1 fit failed: .*seed-0/result.json:1: not JSON" ${cora} --fold 0 --quiet)
expect(1 "^$" "seed-0/result.json:1: not JSON.*no data set 'cora'.*2 fits failed" ${cora} --fold 0,1 --jobs 1)
file(REMOVE_RECURSE ${work})

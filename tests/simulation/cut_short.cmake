# Cuts a life with a planted fault short, and lives it again by the line that was printed.
set(planted --planted abandon-asks-no-bank)
execute_process(COMMAND ${SIMULATION} ${planted} --lives 10000 OUTPUT_VARIABLE found)
if(NOT found MATCHES "found at seed ([0-9]+)")
    message(FATAL_ERROR "no life fails:\n${found}")
endif()
set(seed ${CMAKE_MATCH_1})
execute_process(
    COMMAND ${SIMULATION} --seed ${seed} ${planted} --shrink
    RESULT_VARIABLE result
    OUTPUT_VARIABLE whole)
if(NOT result EQUAL 1 OR NOT whole MATCHES "VIOLATED at seed ${seed}: ")
    message(FATAL_ERROR "seed ${seed} does not fail as it did:\n${whole}")
endif()
if(NOT whole MATCHES "cut short: payonce-simulation ([^\n]+)")
    message(FATAL_ERROR "nothing was cut:\n${whole}")
endif()
set(line "${CMAKE_MATCH_1}")
if(NOT line MATCHES "--storm [0-9]+ --without [a-z,-]+ --trace")
    message(FATAL_ERROR "neither the storm nor its members are fewer: ${line}")
endif()
separate_arguments(line)
execute_process(
    COMMAND ${SIMULATION} ${line}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE trace)
if(NOT result EQUAL 1 OR NOT trace MATCHES "REFEREE")
    message(FATAL_ERROR "the shorter life keeps every rule:\n${trace}")
endif()
string(LENGTH "${trace}" shorter)
execute_process(COMMAND ${SIMULATION} --seed ${seed} ${planted} --trace OUTPUT_VARIABLE trace)
string(LENGTH "${trace}" longer)
if(shorter GREATER longer)
    message(FATAL_ERROR "the trace has grown from ${longer} to ${shorter} bytes")
endif()

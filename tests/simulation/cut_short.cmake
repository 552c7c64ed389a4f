# Cuts a life with a planted fault short, and lives it again by the line that was printed.
execute_process(
    COMMAND ${SIMULATION} --seed 9 --planted abandon-asks-no-bank --shrink
    RESULT_VARIABLE result
    OUTPUT_VARIABLE whole)
if(NOT result EQUAL 1 OR NOT whole MATCHES "VIOLATED at seed 9: ([^\n]+)")
    message(FATAL_ERROR "seed 9 does not fail as it did:\n${whole}")
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
execute_process(COMMAND ${SIMULATION} --seed 9 --planted abandon-asks-no-bank --trace OUTPUT_VARIABLE trace)
string(LENGTH "${trace}" longer)
if(NOT shorter LESS longer)
    message(FATAL_ERROR "the trace has grown from ${longer} to ${shorter} bytes")
endif()

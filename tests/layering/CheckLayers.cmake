# Greps every #include against the arrows of the layer diagram in HACKING.md. Run: cmake -DROOT=<project> -P CheckLayers.cmake
cmake_minimum_required(VERSION 3.25)

# box : the folders whose headers it may include (beside its own)
set(LAYERS
  "sim/core:"
  "sim/bytecode:sim/core"
  "sim/vm:sim/core sim/bytecode sim/Simulator.h"
  "sim/analysis:sim/core sim/bytecode"
  "sim/frontend:sim/core sim/bytecode sim/Simulator.h"
  "gpu:sim/core sim/bytecode sim/Simulator.h"
  "lessons:sim/core"
  "playground/session:sim/core sim/bytecode sim/analysis sim/Simulator.h sim/Explore.h gpu lessons"
  "playground/cli:playground/session sim/core sim/bytecode sim/analysis sim/Simulator.h sim/Explore.h gpu lessons"
  "playground/widgets:sim/core"
  "playground/panels:playground/widgets playground/session sim/core sim/bytecode sim/analysis sim/Simulator.h"
  "playground/app:playground/panels playground/widgets playground/session sim/core sim/bytecode sim/analysis sim/Simulator.h sim/Explore.h gpu lessons")

# third-party headers : the only folders that may use them
set(OWNERS
  "(llvm|clang|llvm-c)/|:sim/frontend"
  "imgui|GLFW/|GL/|glad|epoxy/|:playground/widgets playground/panels playground/app"
  "cuda\\.h|cuda_runtime|nvrtc\\.h|:gpu")

set(PROBLEMS "")
macro(problem text)
  string(APPEND PROBLEMS "  ${text}\n")
endmacro()

function(box_of file result)
  set(found "")
  foreach(layer IN LISTS LAYERS)
    string(REGEX MATCH "^[^:]*" box "${layer}")
    if(file MATCHES "^${box}/")
      set(found ${box})
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE FILES RELATIVE ${ROOT} ${ROOT}/sim/*.h ${ROOT}/sim/*.cpp ${ROOT}/gpu/*.h ${ROOT}/gpu/*.cpp
     ${ROOT}/lessons/*.h ${ROOT}/lessons/*.cpp ${ROOT}/playground/*.h ${ROOT}/playground/*.cpp)
list(FILTER FILES EXCLUDE REGEX "^sim/frontend/headers/")
foreach(FILE IN LISTS FILES)
  box_of(${FILE} BOX)
  if(NOT BOX)
    continue() # sim/Simulator.cpp and sim/Launch.cpp join the boxes
  endif()
  set(ALLOWED "")
  foreach(layer IN LISTS LAYERS)
    if(layer MATCHES "^${BOX}:(.*)$")
      string(REPLACE " " ";" ALLOWED "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  file(STRINGS ${ROOT}/${FILE} INCLUDES REGEX "^[ \t]*#[ \t]*include")
  foreach(LINE IN LISTS INCLUDES)
    if(NOT LINE MATCHES "[\"<]([^\">]+)[\">]")
      continue()
    endif()
    set(INCLUDED ${CMAKE_MATCH_1})
    if(INCLUDED MATCHES "^(sim|gpu|lessons|playground)/" AND NOT INCLUDED MATCHES "^${BOX}/")
      set(ok FALSE)
      foreach(allowed IN LISTS ALLOWED)
        if(INCLUDED MATCHES "^${allowed}(/|$)")
          set(ok TRUE)
        endif()
      endforeach()
      if(NOT ok)
        problem("${FILE} includes ${INCLUDED}; ${BOX} may include only: ${ALLOWED}")
      endif()
    endif()
    foreach(owner IN LISTS OWNERS)
      string(REGEX MATCH "^(.*)\\|:(.*)$" _ "${owner}")
      set(pattern "^(${CMAKE_MATCH_1})")
      string(REPLACE " " ";" users "${CMAKE_MATCH_2}")
      if(INCLUDED MATCHES "${pattern}" AND NOT BOX IN_LIST users)
        problem("${FILE} includes ${INCLUDED}; only ${users} may")
      endif()
    endforeach()
  endforeach()
endforeach()

if(PROBLEMS)
  message(FATAL_ERROR "Includes against the layers of HACKING.md:\n${PROBLEMS}")
endif()

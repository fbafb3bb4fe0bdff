// Everything in hgnet::lab: data sets, training, records, reports, the paper's tables and claims.

#pragma once

#include "hgnet/data/batches.hpp"             // IWYU pragma: export
#include "hgnet/data/color_connectivity.hpp"  // IWYU pragma: export
#include "hgnet/data/color_dataset.hpp"       // IWYU pragma: export
#include "hgnet/data/dataset.hpp"             // IWYU pragma: export
#include "hgnet/data/download.hpp"            // IWYU pragma: export
#include "hgnet/data/graph_file.hpp"          // IWYU pragma: export
#include "hgnet/data/load.hpp"                // IWYU pragma: export
#include "hgnet/data/registry.hpp"            // IWYU pragma: export
#include "hgnet/data/split.hpp"               // IWYU pragma: export
#include "hgnet/data/split_choice.hpp"        // IWYU pragma: export
#include "hgnet/data/splits.hpp"              // IWYU pragma: export
#include "hgnet/data/statistics.hpp"          // IWYU pragma: export
#include "hgnet/data/tu_writer.hpp"           // IWYU pragma: export
#include "hgnet/data/verify.hpp"              // IWYU pragma: export
#include "hgnet/paper/catalogue.hpp"          // IWYU pragma: export
#include "hgnet/paper/claims.hpp"             // IWYU pragma: export
#include "hgnet/paper/plan.hpp"               // IWYU pragma: export
#include "hgnet/records/fit_record.hpp"       // IWYU pragma: export
#include "hgnet/records/metrics.hpp"          // IWYU pragma: export
#include "hgnet/records/run_summary.hpp"      // IWYU pragma: export
#include "hgnet/records/spread.hpp"           // IWYU pragma: export
#include "hgnet/report/catalogue.hpp"         // IWYU pragma: export
#include "hgnet/report/chart.hpp"             // IWYU pragma: export
#include "hgnet/report/claims.hpp"            // IWYU pragma: export
#include "hgnet/report/html.hpp"              // IWYU pragma: export
#include "hgnet/report/paired_tests.hpp"      // IWYU pragma: export
#include "hgnet/report/results.hpp"           // IWYU pragma: export
#include "hgnet/report/tables.hpp"            // IWYU pragma: export
#include "hgnet/report/writers.hpp"           // IWYU pragma: export
#include "hgnet/train/adam.hpp"               // IWYU pragma: export
#include "hgnet/train/config.hpp"             // IWYU pragma: export
#include "hgnet/train/event_file.hpp"         // IWYU pragma: export
#include "hgnet/train/fit.hpp"                // IWYU pragma: export
#include "hgnet/train/fit_folder.hpp"         // IWYU pragma: export
#include "hgnet/train/fit_run.hpp"            // IWYU pragma: export
#include "hgnet/train/input_store.hpp"        // IWYU pragma: export
#include "hgnet/train/inputs.hpp"             // IWYU pragma: export
#include "hgnet/train/objective.hpp"          // IWYU pragma: export
#include "hgnet/train/planned_fit.hpp"        // IWYU pragma: export
#include "hgnet/train/probe.hpp"              // IWYU pragma: export
#include "hgnet/train/progress.hpp"           // IWYU pragma: export
#include "hgnet/train/schedule.hpp"           // IWYU pragma: export
#include "hgnet/train/threads.hpp"            // IWYU pragma: export

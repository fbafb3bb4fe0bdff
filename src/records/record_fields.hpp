// The fields of records, listed once, for both reading and writing: visit(name, field, required).

#pragma once

#include "hgnet/records/fit_record.hpp"

namespace hgnet {

template <class Record, class Visit>
void for_each_record_field(Record& r, Visit&& visit) {
  visit("dataset", r.dataset, true);
  visit("model", r.model, true);
  visit("seed", r.seed, false);
  visit("fold", r.fold, false);
  visit("split", r.split, false);
  visit("reading", r.reading, false);
  visit("best_epoch", r.best_epoch, false);
  visit("epochs", r.epochs, false);
  visit("parameters", r.parameters, false);
  visit("metric", r.metric, true);
  visit("metrics", r.metrics, true);
  visit("baseline", r.baseline, false);
  visit("recalibrated", r.recalibrated, false);
  visit("samples", r.samples, false);
  visit("seconds", r.seconds, false);
  visit("peak_memory", r.peak_memory, false);
  visit("config", r.config, false);
  visit("table", r.table, false);
  visit("quick", r.quick, false);
  visit("receptive_field", r.receptive_field, false);
  visit("command", r.command, false);
  visit("version", r.version, false);
  visit("machine", r.machine, false);
  visit("curve", r.curve, false);
}

template <class Record, class Visit>
void for_each_probe_field(Record& r, Visit&& visit) {
  visit("dataset", r.dataset, true);
  visit("model", r.model, true);
  visit("depth", r.depth, false);
  visit("seed", r.seed, false);
  visit("fold", r.fold, false);
  visit("epochs", r.epochs, false);
  visit("distance", r.distance, true);
  visit("influence", r.influence, true);
  visit("nodes", r.nodes, false);
  visit("rho", r.rho, false);
  visit("graph_rho", r.graph_rho, false);
}

}  // namespace hgnet

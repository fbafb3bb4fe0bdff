#include "train_options.hpp"

#include <map>
#include <memory>
#include <set>

#include "commands.hpp"
#include "hgnet/config/model_table.hpp"
#include "suggest.hpp"

namespace hgnet::app {
namespace {

/// These follow from the data set.
const std::set<std::string> kDerived{"task", "inputs", "outputs", "molecule", "edge-inputs"};

/// What the fits of a run differ in: the command has separate options for these, which take lists.
const std::set<std::string> kListed{"model", "seed", "fold"};

const std::set<std::string> kDataFields{"dataset",      "root",        "node-attributes", "targets",
                                        "label-column", "categorical", "directed",        "missing",
                                        "standardise",  "split",       "split-seed",      "reading",
                                        "edge-features"};
const std::set<std::string> kTrainingFields{
    "epochs",         "batch",         "lr",        "weight-decay", "decay-on",  "lr-decay",
    "lr-decay-every", "patience",      "clip",      "metric",       "max-hours", "threads",
    "recalibrate",    "class-weights", "init-from", "batch-nodes",  "memory",    "norm-over"};

/// What the option of a field is called, with its other names.
std::string option_of(const std::string& name) {
  static const std::map<std::string, std::string> kOtherNames{
      {"dataset", kDatasetOption},
      {"lr", "--lr,--learning-rate"},
      {"lr-decay", "--lr-decay,--learning-rate-decay"},
      {"lr-decay-every", "--lr-decay-every,--learning-rate-decay-every"},
      {"batch", "--batch,--batch-size"}};
  const auto other = kOtherNames.find(name);
  return other == kOtherNames.end() ? "--" + name : other->second;
}

const char* group_of(const std::string& name) {
  if (kDataFields.count(name) > 0) return "Data";
  return kTrainingFields.count(name) > 0 ? "Training" : "Model";
}

/// Finds the field of that name in a configuration and sets it.
template <class T>
void set(TrainConfig& config, const std::string& name, const T& value) {
  for_each_train_field(config, [&](const std::string& candidate, auto& field, const char*) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, T>) {
      if (candidate == name) field = value;
    }
  });
}

CLI::Validator one_number() {
  return {[](const std::string& text) -> std::string {
            double number = 0;
            if (text.find(',') != std::string::npos)
              return "'" + text + "': a fit has one value; hgnet tune compares several";
            return CLI::detail::lexical_cast(text, number) ? ""
                                                           : "'" + text + "'; expected a number";
          },
          ""};
}

template <class T>
CLI::Option* add_one(CLI::App& command, const std::string& name, const char* help,
                     const std::shared_ptr<T>& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return command.add_flag("--" + name + ",!--no-" + name, *value, help);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    return command.add_option(option_of(name), *value, help)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(one_number());
  } else if constexpr (std::is_arithmetic_v<T>) {
    return command.add_option(option_of(name), *value, help)->check(one_number());
  } else {
    return command.add_option(option_of(name), *value, help);
  }
}

}  // namespace

CLI::Validator model_name() {
  return {[](std::string& name) -> std::string {
            name = CLI::detail::to_lower(name);
            try {
              model_defaults(name);
              return {};
            } catch (const Error& error) {
              return error.what();
            }
          },
          ""};
}

void check_resume(const CLI::App& command, const std::set<std::string>& change,
                  const std::string& kept) {
  static const std::set<std::string> kAlways{"--resume", "--jobs", "--json", "--quiet", "--help"};
  for (const CLI::Option* option : command.get_options()) {
    const std::string& name = option->get_name();
    if (option->count() > 0 && !kAlways.contains(name) && !change.contains(name))
      throw WrongUsage(name + " cannot be combined with --resume: " + kept);
  }
}

void TrainOptions::add_to(CLI::App& command) {
  TrainConfig defaults;
  for_each_train_field(defaults, [&](const std::string& name, auto& field, const char* help) {
    using T = std::remove_reference_t<decltype(field)>;
    if (kDerived.count(name) > 0 || kListed.count(name) > 0) return;
    if constexpr (std::is_enum_v<T>) {
      auto text = std::make_shared<std::string>();
      CLI::Option* option =
          command.add_option(option_of(name), *text, help)->check(one_of(names_of<T>()));
      option->group(group_of(name));
      settings_.push_back(
          {option, [text, name](TrainConfig& config) { set(config, name, enum_value<T>(*text)); }});
    } else {
      auto value = std::make_shared<T>(field);
      CLI::Option* option = add_one(command, name, help, value);
      option->group(group_of(name));
      if (name == "dataset") option->type_name("DATASET|FILE");
      if (name == "root" || name == "init-from") option->type_name("FOLDER");
      if (name == "split") option->type_name("SPLIT|FILE");
      if (name == "metric") option->type_name("METRIC");
      if (name == "memory") option->type_name("SIZE");
      if (name == "label-column" || name == "categorical") option->type_name("COLUMN,...");
      if (name == "keep") option->type_name("NUMBER,...");
      if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
        option->check(not_negative());
      settings_.push_back(
          {option, [value, name](TrainConfig& config) { set(config, name, *value); }});
    }
  });
}

void TrainOptions::apply(TrainConfig& config) const {
  for (const Setting& setting : settings_) {
    if (setting.option->count() > 0) setting.set(config);
  }
}

void TrainOptions::apply_useful(TrainConfig& config,
                                const std::function<bool(const TrainConfig&)>& useful,
                                std::set<std::string>& used) const {
  for (const Setting& setting : settings_) {
    if (setting.option->count() == 0) continue;
    TrainConfig changed = config;
    setting.set(changed);
    if (!useful(changed)) continue;
    config = std::move(changed);
    used.insert(setting.option->get_name());
  }
}

std::vector<std::string> TrainOptions::given() const {
  std::vector<std::string> names;
  for (const Setting& setting : settings_) {
    if (setting.option->count() > 0) names.push_back(setting.option->get_name());
  }
  return names;
}

}  // namespace hgnet::app

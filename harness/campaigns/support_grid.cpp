#include "harness/campaigns/support_grid.h"

#include <algorithm>
#include <array>
#include <map>

#include "harness/base/text.h"
#include "harness/judging/check.h"
#include "harness/judging/late_rejection.h"
#include "harness/running/differential.h"
#include "harness/running/isolation.h"
#include "spec/validate.h"

namespace opconform::campaigns {
namespace {

std::string joined(const auto& rules) {
  std::string text;
  for (const auto& rule : rules) text += (text.empty() ? "" : ", ") + std::string(rule);
  return text.empty() ? "no rule" : text;
}

std::vector<DataType> types_of(Dialect dialect) {
  std::vector<DataType> types;
  for (const DataType type : all_data_types())
    if (!name(type, dialect).empty()) types.push_back(type);
  return types;
}

std::string_view support_rule(const Operator& op) {
  return std::visit(
      [](const auto& o) {
        const auto rules = o.rules();
        return std::find_if(rules.begin(), rules.end(),
                            [](const auto& rule) { return rule.text.kind == RuleKind::kSupport; })
            ->text.name;
      },
      op);
}

std::optional<std::size_t> find_factor(const generation::FactorModel& model,
                                       std::initializer_list<std::string_view> names) {
  for (std::size_t i = 0; i < model.factors().size(); ++i)
    if (std::find(names.begin(), names.end(), model.factors()[i].name) != names.end()) return i;
  return std::nullopt;
}

/// The factors that say what a cell is.
struct CellFactors {
  explicit CellFactors(const generation::FactorModel& model)
      : version(find_factor(model, {"feature level", "opset"})),
        data_type(find_factor(model, {"data type"})),
        rank(find_factor(model, {"rank", "rank of data"})),
        index_type(find_factor(model, {"index type"})),
        index_rank(find_factor(model, {"rank of indices"})) {}
  std::optional<std::size_t> version;
  std::optional<std::size_t> data_type;
  std::optional<std::size_t> rank;
  std::optional<std::size_t> index_type;
  std::optional<std::size_t> index_rank;
};

/// What the tables, and the ledger beside them, want to reject the cell. Types are any table's
/// business; ranks that of DirectML's tables alone. ONNX names no largest rank; the least is a
/// rule's own.
std::vector<std::string_view> rejecting_rules(const Operator& op, Version version) {
  const SupportRow* row = row_at(describe(op).support, version);
  const bool is_onnx = version.dialect() == Dialect::kOnnx;
  bool is_rejected = row == nullptr;
  std::vector<std::string_view> rules;
  for_each_tensor(op, [&](const NamedTensor& tensor) {
    if (row == nullptr) return;
    const TensorSupport& listed = *find_role(*row, tensor.field.name);
    const bool in_ranks = listed.ranks.contains(tensor.desc.rank());
    is_rejected |= !listed.data_types.contains(tensor.desc.data_type) || (!is_onnx && !in_ranks);
    if (tensor.desc.rank() < listed.ranks.least && !listed.least_rank_rule.empty())
      rules.push_back(listed.least_rank_rule);
  });
  if (is_rejected) rules.push_back(support_rule(op));
  return rules;
}

/// The cells of one operator as an array of five dimensions, the last the fastest.
struct GridShape {
  std::vector<Version> versions;
  std::vector<DataType> types;
  std::vector<DataType> index_types;  // one, of no meaning, where there are no indices
  std::size_t ranks;
  std::size_t index_ranks;  // 1 where indices have no rank of their own

  explicit GridShape(std::size_t operator_index) {
    const OperatorText op = all_operators()[operator_index];
    const CellFactors factors(generation::factor_model(operator_index));
    versions = versions_of(op);
    types = types_of(op.dialect);
    index_types = factors.index_type ? types : std::vector<DataType>{PlainShape{}.index_type};
    ranks = kMostGridRank + 1;
    index_ranks = factors.index_rank ? kMostGridRank + 1 : 1;
  }
  [[nodiscard]] std::array<std::size_t, 5> sizes() const {
    return {versions.size(), types.size(), index_types.size(), ranks, index_ranks};
  }
};

/// Is the cell with those coordinates one step from one that is inside?
bool touches_inside(const std::vector<GridCell>& cells, const std::array<std::size_t, 5>& sizes,
                    std::array<std::size_t, 5> at) {
  constexpr std::array kHasOrder{true, false, false, true, true};  // types have none
  const auto is_inside = [&](const std::array<std::size_t, 5>& place) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < place.size(); ++i) number = number * sizes[i] + place[i];
    return cells[number].cell_class == CellClass::kInside;
  };
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::size_t here = at[i];
    const std::size_t first = kHasOrder[i] ? here - std::min<std::size_t>(here, 1) : 0;
    const std::size_t last = kHasOrder[i] ? std::min(here + 1, sizes[i] - 1) : sizes[i] - 1;
    for (at[i] = first; at[i] <= last; ++at[i])
      if (is_inside(at)) return true;
    at[i] = here;
  }
  return false;
}

/// Makes the valid case of a cell; says why where the generator cannot.
std::string make_case(const GridCell& cell, std::uint64_t seed, generation::Generated& generated) {
  const generation::FactorModel& model = generation::factor_model(cell.operator_index);
  const CellFactors factors(model);
  const Dialect dialect = cell.version.dialect();
  generation::Assignment wanted;
  std::string missing;
  const auto want = [&](std::optional<std::size_t> factor, const std::string& value) {
    if (!factor) return;
    const std::vector<std::string>& values = model.factors()[*factor].values;
    const auto found = std::find(values.begin(), values.end(), value);
    if (found == values.end())
      missing =
          "the generator knows no " + std::string(model.factors()[*factor].name) + " " + value;
    else
      wanted.set(*factor, static_cast<std::size_t>(found - values.begin()));
  };
  want(factors.version, cell.version.text());
  want(factors.data_type, std::string(name(cell.shape.data_type, dialect)));
  want(factors.rank, std::to_string(cell.shape.rank));
  want(factors.index_type, std::string(name(cell.shape.index_type, dialect)));
  want(factors.index_rank, std::to_string(cell.shape.index_rank));
  // So that something moves.
  want(find_factor(model, {"index class"}), "distinct");
  want(find_factor(model, {"empty"}), "none");
  if (!missing.empty()) return missing;
  if (!model.is_feasible(wanted))
    return "the generator forbids it: " + std::string(model.forbidding_rule(wanted));
  generation::RandomDraws draws(seed);
  generation::generate(cell.operator_index, wanted, draws, generated);
  return "";
}

enum class CellOutcome : std::uint8_t { kRight, kUnsupported, kWrong };

/// One backend, cell by cell.
class GridRun {
 public:
  explicit GridRun(backends::Backend& backend) : backend_(backend), differential_(backend) {}

  CellOutcome check(const GridCell& cell, std::uint64_t seed) {
    try {
      return check_cell(cell, seed);
    } catch (const std::exception& error) {
      return wrong("ended by an exception: " + base::words_of_others(error.what()));
    }
  }
  /// Of the last wrong cell.
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  CellOutcome check_cell(const GridCell& cell, std::uint64_t seed) {
    if (cell.cell_class == CellClass::kInside) {
      const std::string missing = make_case(cell, seed, generated_);
      if (!missing.empty()) return wrong(missing);
    } else {
      generated_ = {};
      generated_.op = plain_operator(cell.operator_index, cell.shape);
      generated_.version = cell.version;
    }
    const Violations violations = validate(generated_.op, generated_.version);
    if (violations.rules() != cell.rules)
      return wrong("the tables want " + joined(cell.rules) + ", validation finds " +
                   joined(violations.rules()));

    const backends::Prepared prepared = backend_.prepare(generated_.op, generated_.version);
    const backends::Rejection* rejection = std::get_if<backends::Rejection>(&prepared);
    std::optional<backends::Rejection> late;
    if (rejection == nullptr && !cell.rules.empty()) {
      late = judging::late_rejection(*std::get<std::unique_ptr<backends::Executable>>(prepared),
                                     generated_.op);
      if (late) rejection = &*late;
    }
    if (rejection != nullptr && rejection->kind != backends::Rejection::Kind::kRejected)
      return CellOutcome::kUnsupported;
    if (!cell.rules.empty()) return check_rejection(cell, rejection);
    if (rejection != nullptr)
      return wrong("must be accepted, but is rejected with " +
                   base::words_of_others(joined(rejection->rules), 200));
    return check_run(cell);
  }
  CellOutcome wrong(std::string message) {
    message_ = std::move(message);
    return CellOutcome::kWrong;
  }
  CellOutcome check_rejection(const GridCell& cell, const backends::Rejection* rejection) {
    const std::string due = "must be rejected with " + joined(cell.rules);
    if (rejection == nullptr) return wrong(due + ", but is accepted");
    if (rejection->rules.empty() && !backend_.names_rules()) return CellOutcome::kRight;
    if (std::equal(cell.rules.begin(), cell.rules.end(), rejection->rules.begin(),
                   rejection->rules.end()))
      return CellOutcome::kRight;
    return wrong(due + ", but is rejected with " +
                 base::words_of_others(joined(rejection->rules), 200));
  }
  CellOutcome check_run(const GridCell& cell) {
    if (differential_.agrees_on_valid(generated_)) return CellOutcome::kRight;
    // Whether it must have agreed, the slow judgement knows.
    const judging::CaseResult result = judging::check_case(
        generation::case_of(generated_, differential_.pristine(), text(cell)), backend_, {});
    if (!judging::was_judged(result.verdict)) return CellOutcome::kUnsupported;
    if (!judging::is_nonconformance(result.verdict)) return CellOutcome::kRight;
    return wrong(std::string(judging::name(result.verdict)) +
                 (result.rule.empty() ? "" : " of " + result.rule) + ": " + result.message);
  }

  backends::Backend& backend_;
  running::Differential differential_;
  generation::Generated generated_;
  std::string message_;
};

/// What the workers say of the cells.
class GridCells {
 public:
  explicit GridCells(const std::vector<GridCell>& cells) : cells_(cells), outcomes_(cells.size()) {}

  static std::string word(CellOutcome outcome, const std::string& message) {
    if (outcome == CellOutcome::kRight) return "";
    return (outcome == CellOutcome::kUnsupported ? "-" : "!") + message;
  }
  void take(std::uint64_t number, std::string_view word) {
    if (word.empty()) {
      outcomes_[number] = outcomes_[number].value_or(CellOutcome::kRight);
    } else if (word.front() == '-') {
      outcomes_[number] = CellOutcome::kUnsupported;
    } else {
      outcomes_[number] = CellOutcome::kWrong;
      messages_[number] = word.substr(1);
    }
  }
  /// True where the cell must be seen alone.
  bool take(std::uint64_t number, const running::WorkerDeath& death) {
    if (death.cause == running::WorkerDeath::Cause::kStopped) return false;
    const judging::CaseResult result = running::result_of(death, "", "");
    const bool again = death.ran_before > 0;
    // Where the cell alone is right, this remains.
    outcomes_[number] = CellOutcome::kWrong;
    messages_[number] = std::string(judging::name(result.verdict)) + ": " + result.message +
                        (again ? "; depends on what ran before it in the same process" : "");
    return again;
  }

  [[nodiscard]] GridResult result() const;

 private:
  const std::vector<GridCell>& cells_;
  std::vector<std::optional<CellOutcome>> outcomes_;  // none where the cell was not run
  std::map<std::uint64_t, std::string> messages_;     // of wrong cells
};

std::size_t& counter_of(CellClass cell_class, GridCount& count) {
  switch (cell_class) {
    case CellClass::kInside:
      return count.inside;
    case CellClass::kNeighbour:
      return count.neighbours;
    case CellClass::kFarther:
      return count.farther;
    case CellClass::kUnbounded:
      break;
  }
  return count.unbounded;
}

GridResult GridCells::result() const {
  GridResult result;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const GridCell& cell = cells_[i];
    if (!outcomes_[i]) continue;
    if (result.rows.empty() || result.rows.back().version != cell.version)
      result.rows.push_back({cell.operator_index, cell.version, {}});
    GridCount& count = result.rows.back().count;
    switch (*outcomes_[i]) {
      case CellOutcome::kRight:
        ++counter_of(cell.cell_class, count);
        break;
      case CellOutcome::kUnsupported:
        ++count.unsupported;
        break;
      case CellOutcome::kWrong:
        ++count.wrong;
        result.wrong.push_back({cell, messages_.at(i)});
        break;
    }
  }
  return result;
}

}  // namespace

std::string text(const GridCell& cell) {
  const CellFactors factors(generation::factor_model(cell.operator_index));
  const Dialect dialect = cell.version.dialect();
  std::string text = std::string(all_operators()[cell.operator_index].name) + " at " +
                     cell.version.text() + ": " + std::string(name(cell.shape.data_type, dialect));
  if (factors.index_type) text += ", indices " + std::string(name(cell.shape.index_type, dialect));
  text += ", rank " + std::to_string(cell.shape.rank);
  if (factors.index_rank) text += ", of indices " + std::to_string(cell.shape.index_rank);
  return text;
}

std::vector<GridCell> grid_cells(std::size_t operator_index) {
  const GridShape grid(operator_index);
  std::vector<GridCell> cells;
  std::vector<std::array<std::size_t, 5>> places;
  for (std::size_t v = 0; v < grid.versions.size(); ++v)
    for (std::size_t t = 0; t < grid.types.size(); ++t)
      for (std::size_t i = 0; i < grid.index_types.size(); ++i)
        for (std::size_t r = 0; r < grid.ranks; ++r)
          for (std::size_t q = 0; q < grid.index_ranks; ++q) {
            const PlainShape shape{grid.types[t], r, grid.index_types[i], q};
            const Version version = grid.versions[v];
            const Operator op = plain_operator(operator_index, shape);
            GridCell cell{operator_index, version, shape, CellClass::kInside, {}};
            if (!is_listed(op, version)) {
              cell.rules = rejecting_rules(op, version);
              cell.cell_class = cell.rules.empty() ? CellClass::kUnbounded : CellClass::kFarther;
            }
            cells.push_back(std::move(cell));
            places.push_back({v, t, i, r, q});
          }
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (cells[k].cell_class == CellClass::kFarther &&
        touches_inside(cells, grid.sizes(), places[k]))
      cells[k].cell_class = CellClass::kNeighbour;
  return cells;
}

GridCount& GridCount::operator+=(const GridCount& other) {
  inside += other.inside;
  neighbours += other.neighbours;
  farther += other.farther;
  unbounded += other.unbounded;
  unsupported += other.unsupported;
  wrong += other.wrong;
  return *this;
}

GridResult run_grid(std::size_t operator_index, backends::Backend& backend,
                    const GridOptions& options, const std::atomic<bool>& stop) {
  std::vector<GridCell> cells = grid_cells(operator_index);
  // Versions ascend: what is left out stands at the end, and the other cells keep their numbers.
  const auto is_left_out = [&](const GridCell& cell) {
    return options.at_most && cell.version.dialect() == options.at_most->dialect() &&
           cell.version > *options.at_most;
  };
  cells.erase(std::find_if(cells.begin(), cells.end(), is_left_out), cells.end());
  GridCells found(cells);
  const running::RangeWork work = [&](running::NumberRange range, running::WorkerChannel& channel) {
    GridRun run(backend);
    backend.start();
    for (std::uint64_t i = range.first; i < range.last && !channel.is_stopped(); ++i) {
      channel.begin(i);
      const CellOutcome outcome = run.check(cells[i], base::random_bits(options.seed, i));
      channel.say(GridCells::word(outcome, run.message()));
    }
    return std::string();
  };
  running::WorkerEvents events;
  events.on_word = [&](std::size_t, std::uint64_t number, std::string_view text,
                       std::string_view /*printed*/) { found.take(number, text); };
  events.on_death = [&](std::size_t, running::NumberRange, std::uint64_t number,
                        const running::WorkerDeath& death) { return found.take(number, death); };
  events.on_tick = [&](std::uint64_t) { return !stop; };
  constexpr std::uint64_t kMostCells = 1024;
  running::WorkerOptions workers = running::worker_options(options.run);
  workers.all_speak = true;
  running::run_in_workers(workers, running::ranges_of(cells.size(), options.run.jobs, kMostCells),
                          work, events);
  return found.result();
}

}  // namespace opconform::campaigns

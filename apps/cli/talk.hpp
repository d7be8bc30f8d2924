/// What the commands say to a person, on stderr, and how they print JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "surefoot/explain.hpp"
#include "surefoot/session.hpp"

namespace surefoot::cli {

/// Says something on stderr. Nobody listening (closed, full) is no reason to fail.
void say(std::string_view text) noexcept;

/// "error: …", the frames, ORT's words, one hint, and where the catalogue of errors says more.
void print_error(const Error& error);

/// The same as a document of the schema `surefoot.error/1`, on stdout.
void print_error_json(const Error& error);

/// The runtime, each candidate with its reason, and the one that was chosen.
std::string plan_text(const Plan& plan, const MachineFacts& machine, const std::filesystem::path& library,
                      std::string_view chosen);

/// What to do about the candidates whose libraries are missing, and, where none is viable, about all of them.
std::string hints_text(const Plan& plan);

/// One line for each thing that was given up, or is to be known of one that was not.
std::string events_text(std::span<const FallbackEvent> events);

/// A path with the home folder as `~`.
std::string short_path(const std::filesystem::path& path);

/// "9.8 MB", in decimal units.
std::string size_text(std::uint64_t bytes);

/// A document of the schema `surefoot.NAME/1`.
nlohmann::ordered_json document(std::string_view name);
nlohmann::ordered_json json_of(const Error& error);
nlohmann::ordered_json json_of(const Plan& plan);
nlohmann::ordered_json json_of(const ValueInfo& info);
nlohmann::ordered_json json_of(const OpCount& op);
nlohmann::ordered_json json_of(std::span<const FallbackEvent> events);
/// Prints a document on stdout; bytes that are not UTF-8 become U+FFFD.
void print(const nlohmann::ordered_json& json);

}  // namespace surefoot::cli

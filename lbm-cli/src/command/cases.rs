//! `lbm cases`.

use clap::Args;
use lbm_core::Error;
use serde_json::json;

use super::print_line;
use crate::cases::{self, Case};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Show only this case
    case: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Prints the cases with their settings.
pub(super) fn cases(arguments: &Arguments) -> Result<bool, Error> {
    let shown = match &arguments.case {
        Some(name) => vec![cases::find(name)?],
        None => cases::ALL.to_vec(),
    };
    for case in shown {
        if arguments.json {
            print_line(described(case))?;
            continue;
        }
        print_line(format_args!("{}: {}", case.name, case.about))?;
        for setting in case.settings() {
            let unit = if setting.unit.is_empty() { String::new() } else { format!(" [{}]", setting.unit) };
            let default = setting.default.to_string();
            print_line(format_args!("  {:<18} {default:<11} {}{unit}", setting.name, setting.about))?;
            print_line(format_args!("  {:<30} ({})", "", setting.allowed))?;
        }
        print_line("")?;
    }
    if !arguments.json {
        print_line(
            "Set them with `lbm run CASE --set name=value`, or in a case file: `lbm run FILE.toml`, which may state a flow of its own.",
        )?;
    }
    Ok(true)
}

fn described(case: &Case) -> serde_json::Value {
    let settings: Vec<_> = case
        .settings()
        .iter()
        .map(|setting| {
            json!({
                "name": setting.name,
                "default": setting.default.to_string(),
                "allowed": setting.allowed.to_string(),
                "unit": setting.unit,
                "about": setting.about,
            })
        })
        .collect();
    json!({ "case": case.name, "about": case.about, "settings": settings })
}

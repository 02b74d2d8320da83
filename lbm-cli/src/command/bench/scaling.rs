//! `lbm bench scaling`.

use lbm_core::Error;
use serde_json::json;

use super::super::print_line;
use super::Arguments;
use super::report::{extent, said};
use crate::bench::scaling::{Scaled, scale};
use crate::bench::{Request, Walls};

/// Measures variants over devices; `Ok(false)` if one computed wrong bits.
pub(super) fn scaling(arguments: &Arguments, words: &[String]) -> Result<bool, Error> {
    let others = [
        ("--flow", arguments.flow != Walls::Periodic),
        ("--rule", arguments.rule.is_some()),
        ("--forces", arguments.forces),
        ("--memory", arguments.memory.is_some()),
    ];
    if let Some((what, _)) = others.iter().find(|(_, given)| *given) {
        return Err(Error::conflict(
            format!("{what} is not for `lbm bench scaling`"),
            "leave it out: its rows have their own boxes",
        ));
    }
    let request = Request {
        filter: words.to_vec(),
        size: arguments.size,
        placement: arguments.place.placement()?.with_cpu(arguments.cores.options()),
        turns: arguments.turns,
        ..Request::default()
    };
    let mut all_verified = true;
    let written = scale(&request, &arguments.out, &mut |scaled| {
        all_verified &= scaled.verified != Some(false);
        if arguments.json { print_line(json!(scaled)) } else { print_line(text(scaled)) }
    })?;
    written.iter().for_each(|path| eprintln!("wrote {}", path.display()));
    Ok(all_verified)
}

/// To be read.
fn text(s: &Scaled) -> String {
    if let Some(reason) = &s.refused {
        return format!("{}: refused: {reason}\n  {}", s.what, s.variant);
    }
    let size = extent(s.size);
    if s.parts < 2 {
        let (what, mlups, steps) = (s.what, s.mlups, s.steps);
        return format!(
            "{what}, one device, {size}: {mlups:.0} MLUPS\n  {}, {}, {steps} steps a turn",
            s.variant, s.engine
        );
    }
    let verified = match s.verified {
        Some(true) => "bits verified",
        Some(false) => "bits WRONG",
        None => "bits not asked",
    };
    let way =
        said(s.straight, |straight| if straight { ", straight" } else { ", through the host" }.to_owned());
    let exchange = said(s.exchange_us.zip(s.exchange_share), |(us, share)| {
        format!("{us:.1} us alone, {:.1} % of a step", 100.0 * share)
    });
    format!(
        "{}, {}, {} parts on {} devices, {size}: {:.0} MLUPS{}\n  {:.3} MB cross to a device in a step{way}: {exchange}; {verified}\n  {}, {}",
        s.what,
        s.kind,
        s.parts,
        s.devices,
        s.mlups,
        said(s.share, |share| format!(", {:.1} % of {} x {:.0}", 100.0 * share, s.devices, s.one_mlups)),
        s.crossing_bytes as f64 * 1e-6,
        s.variant,
        s.engine,
    )
}

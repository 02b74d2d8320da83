//! What a kernel is compiled for, and how: the flags that keep a kernel's bits those of the CPU.

use std::fmt;

/// A compute capability, e.g. 9.0, written `sm_90`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Architecture {
    /// The generation: a cubin runs only on devices of its own.
    pub major: u32,
    /// Within the generation: a cubin runs on devices of the same or a higher one.
    pub minor: u32,
}

impl Architecture {
    /// Ampere of the data centre (A100).
    pub const SM_80: Architecture = Architecture { major: 8, minor: 0 };
    /// Hopper (H100, H200).
    pub const SM_90: Architecture = Architecture { major: 9, minor: 0 };

    /// Whether a cubin for `self` runs on a device of architecture `device`.
    pub fn runs_on(self, device: Architecture) -> bool {
        self.major == device.major && self.minor <= device.minor
    }

    /// NVRTC's flags for it. Products and sums are not contracted, division and square root are IEEE, denormals are kept: so a
    /// device gives the bits that the CPU gives.
    pub fn flags(self) -> [String; 7] {
        [
            &format!("--gpu-architecture={self}"),
            "--std=c++17",
            "--fmad=false",
            "--prec-div=true",
            "--prec-sqrt=true",
            "--ftz=false",
            "--ptxas-options=-v",
        ]
        .map(str::to_owned)
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_name_the_architecture_and_keep_the_bits() {
        let flags = Architecture { major: 10, minor: 3 }.flags();
        assert_eq!(flags[0], "--gpu-architecture=sm_103");
        for flag in ["--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"] {
            assert!(flags.iter().any(|f| f == flag), "{flag}");
        }
    }

    #[test]
    fn a_cubin_runs_within_its_generation_only() {
        let a86 = Architecture { major: 8, minor: 6 };
        assert!(Architecture::SM_80.runs_on(a86));
        assert!(!a86.runs_on(Architecture::SM_80));
        assert!(!Architecture::SM_80.runs_on(Architecture::SM_90));
    }
}

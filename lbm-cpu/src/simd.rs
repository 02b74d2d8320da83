//! How many numbers the machine computes on at once, found out at run time.

use std::fmt;
use std::str::FromStr;

use lbm_core::Error;

/// The width of the vectors that a kernel computes on. Every level gives the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SimdLevel {
    /// One node at a time.
    Scalar,
    /// Vectors of 16 bytes: NEON.
    Simd128,
    /// Vectors of 32 bytes: AVX2 with FMA3 and F16C.
    Avx2,
    /// Vectors of 64 bytes: AVX-512 F and DQ.
    Avx512,
}

impl SimdLevel {
    /// All levels, the narrowest first.
    pub const ALL: [SimdLevel; 4] =
        [SimdLevel::Scalar, SimdLevel::Simd128, SimdLevel::Avx2, SimdLevel::Avx512];

    /// Whether this machine runs the level. Each needs a multiply-add that rounds once ([`has_hardware_fma`]); x86-64 has no
    /// 128-bit level, since nearly all of its machines with FMA3 have AVX2.
    #[must_use]
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let available = match self {
            SimdLevel::Scalar => true,
            SimdLevel::Simd128 => false,
            SimdLevel::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c"),
            // With the vectors before it, too: some work takes those.
            SimdLevel::Avx512 => {
                let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
                wide && SimdLevel::Avx2.is_available()
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        let available = self <= SimdLevel::Simd128;
        available && has_hardware_fma()
    }

    /// The levels that this machine runs, the narrowest first; empty on one without a hardware multiply-add.
    #[must_use]
    pub fn detect_all() -> Vec<SimdLevel> {
        SimdLevel::ALL.into_iter().filter(|level| level.is_available()).collect()
    }

    /// The widest level that this machine runs.
    #[must_use]
    pub fn best() -> SimdLevel {
        SimdLevel::detect_all().last().copied().unwrap_or(SimdLevel::Scalar)
    }

    /// The name: `scalar`, `128-bit`, `AVX2`, `AVX-512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SimdLevel::Scalar => "scalar",
            SimdLevel::Simd128 => "128-bit",
            SimdLevel::Avx2 => "AVX2",
            SimdLevel::Avx512 => "AVX-512",
        }
    }

    /// The level itself if this machine runs it.
    ///
    /// # Errors
    /// [`Error::Unavailable`], naming the levels that there are.
    pub fn checked(self) -> Result<SimdLevel, Error> {
        if self.is_available() {
            return Ok(self);
        }
        let names: Vec<_> = SimdLevel::detect_all().into_iter().map(SimdLevel::name).collect();
        if names.is_empty() {
            return Err(Error::Unavailable {
                what: "this machine has no multiply-add that rounds once".to_owned(),
                remedy: "take a CPU with FMA3 (Intel Haswell, AMD Piledriver or later), or a 64-bit Arm"
                    .to_owned(),
            });
        }
        Err(Error::Unavailable {
            what: format!("this machine has no {self} vectors"),
            remedy: format!("take one of: {}", names.join(", ")),
        })
    }
}

/// Whether a multiply-add that rounds once is one instruction here. Where it is not, kernels do not run: in software it
/// would cost more than all else together.
#[must_use]
pub fn has_hardware_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        cfg!(target_arch = "aarch64")
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SimdLevel {
    type Err = Error;

    /// Reads a name as [`SimdLevel::name`] prints it; case and hyphens do not count.
    fn from_str(text: &str) -> Result<SimdLevel, Error> {
        let plain = |name: &str| name.to_lowercase().replace('-', "");
        SimdLevel::ALL.into_iter().find(|level| plain(level.name()) == plain(text)).ok_or_else(|| {
            let known = SimdLevel::ALL.map(SimdLevel::name);
            Error::unknown("SIMD level", text, known, format!("take one of: {}", known.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for level in SimdLevel::ALL {
            assert_eq!(level.to_string().parse::<SimdLevel>().unwrap(), level);
        }
        assert_eq!("avx512".parse::<SimdLevel>().unwrap(), SimdLevel::Avx512);
        assert!("AVX3".parse::<SimdLevel>().unwrap_err().to_string().contains("did you mean `AVX2`?"));
    }

    #[test]
    fn the_scalar_level_is_always_there_and_the_best_is_among_them() {
        let levels = SimdLevel::detect_all();
        assert_eq!(levels[0], SimdLevel::Scalar);
        assert!(levels.contains(&SimdLevel::best()));
        assert!(SimdLevel::best().checked().is_ok());
    }
}

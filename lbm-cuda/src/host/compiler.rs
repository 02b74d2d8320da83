//! The host's C++ compiler.

use super::HostError;
use std::path::Path;
use std::process::Command;

/// A C++ compiler that answers, and what it calls itself.
#[derive(Clone, Debug)]
pub struct HostCompiler {
    command: Vec<String>,
    version: String,
}

impl HostCompiler {
    /// The command in the environment variable `CXX` (nothing else if it is set), or the first of `c++`, `g++` and
    /// `clang++` that answers.
    ///
    /// # Errors
    /// [`HostError::NoCompiler`] with what was tried and how to get one.
    pub fn find() -> Result<HostCompiler, HostError> {
        let chosen = std::env::var("CXX").ok().filter(|command| !command.trim().is_empty());
        match chosen {
            Some(command) => HostCompiler::first_of(&[&command]),
            None => HostCompiler::first_of(&["c++", "g++", "clang++"]),
        }
    }

    /// The first of the commands that answers; each may carry arguments (`ccache g++`).
    ///
    /// # Errors
    /// [`HostError::NoCompiler`] if none does.
    pub fn first_of(commands: &[&str]) -> Result<HostCompiler, HostError> {
        commands.iter().find_map(|command| HostCompiler::answering(command)).ok_or_else(|| {
            HostError::NoCompiler { tried: commands.iter().map(|&command| command.to_owned()).collect() }
        })
    }

    fn answering(command: &str) -> Option<HostCompiler> {
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let (program, arguments) = command.split_first()?;
        let output = Command::new(program).args(arguments).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
        output.status.success().then_some(HostCompiler { command, version })
    }

    /// The first line of what it says about itself, e.g. `g++ (Debian 12.2.0-14) 12.2.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The flags that every kernel is built with.
    pub fn flags() -> Vec<&'static str> {
        let mut flags = vec![
            "-std=c++17",
            // A text is compiled once and run briefly: to optimise it takes longer than it saves.
            "-O0",
            "-fPIC",
            "-shared",
            "-w",
            "-ffp-contract=off",
            "-fno-fast-math",
            "-fno-math-errno",
            "-fno-exceptions",
            "-fno-rtti",
            "-fvisibility=hidden",
        ];
        flags.extend(processor_flags());
        flags
    }

    /// What decides the built object beside the source: to be hashed into a cache's key.
    pub(super) fn fingerprint(&self) -> String {
        format!("{}\n{}\n{}", self.command.join(" "), self.version, HostCompiler::flags().join(" "))
    }

    /// Builds the source file into a shared object.
    ///
    /// `Ok(Err(log))` is what the compiler said when it refused.
    pub(super) fn build(&self, source: &Path, object: &Path) -> Result<Result<(), String>, HostError> {
        let (program, arguments) = self.command.split_first().expect("a compiler that answered has a name");
        let output = Command::new(program)
            .args(arguments)
            .args(HostCompiler::flags())
            .arg("-o")
            .arg(object)
            .args(["-x", "c++"])
            .arg(source)
            .args(["-x", "none", "-lm"])
            .env("LC_ALL", "C") // the log is parsed
            .output()
            .map_err(HostError::io(format!("start `{program}`")))?;
        Ok(match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        })
    }
}

/// `fma` in hardware where there is one; elsewhere the library's, which rounds once too. Nothing else depends on the
/// processor, so that a cached object runs wherever its key is found.
fn processor_flags() -> &'static [&'static str] {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") {
        return &["-mfma"];
    }
    match std::env::consts::ARCH {
        "x86_64" | "aarch64" => &[],
        // The old floating point unit of this processor computes in 80 bits.
        "x86" => &["-msse2", "-mfpmath=sse", "-DLBM_UCONTEXT"],
        _ => &["-DLBM_UCONTEXT"],
    }
}

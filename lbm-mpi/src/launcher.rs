//! What a launcher says to the processes that it starts, in their environment.

use std::env;

/// The libraries of Open MPI and of MPICH, the standard's among them.
const OPEN_MPI: [&str; 4] = ["libmpi.so.40", "libmpi_abi.so.1", "libmpi.so.20", "libmpi.so"];
const MPICH: [&str; 4] = ["libmpich.so.12", "libmpi.so.12", "libmpi_abi.so.1", "libmpi.so"];
/// PMIx belongs to Open MPI, but Slurm offers it to all.
const ANY: [&str; 5] = ["libmpi.so.40", "libmpi_abi.so.1", "libmpich.so.12", "libmpi.so.12", "libmpi.so"];

/// Variables that say which process of its host this is.
const LOCAL_RANKS: [&str; 6] = [
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "MPI_LOCALRANKID",
    "MPT_LRANK",
    "PALS_LOCAL_RANKID",
    "PMI_LOCAL_RANK",
    "SLURM_LOCALID",
];

/// Who started this process, as far as it shows.
#[derive(Debug, PartialEq)]
pub(crate) struct Launcher {
    /// Its name, e.g. `Open MPI's launcher`.
    pub(crate) name: &'static str,
    /// The libraries that fit, the likeliest first.
    pub(crate) libraries: &'static [&'static str],
    /// How many processes it started, where it says so.
    pub(crate) size: Option<usize>,
    /// The number of this process among those of its host, where it says so.
    pub(crate) local_rank: Option<usize>,
}

impl Launcher {
    /// From the environment of this process.
    pub(crate) fn of_this_process() -> Option<Launcher> {
        Launcher::find(&|name| env::var(name).ok())
    }

    fn find(variable: &dyn Fn(&str) -> Option<String>) -> Option<Launcher> {
        let number = |name: &str| variable(name).and_then(|value| value.trim().parse::<usize>().ok());
        let (name, libraries, size) = if number("OMPI_COMM_WORLD_SIZE").is_some() {
            ("Open MPI's launcher", &OPEN_MPI[..], number("OMPI_COMM_WORLD_SIZE"))
        } else if number("PMI_RANK").is_some() {
            // MPICH's hydra, Intel MPI, Cray's PALS, and Slurm's PMI 2.
            ("a launcher of MPICH's kind", &MPICH[..], number("PMI_SIZE"))
        } else if number("PMIX_RANK").is_some() {
            ("a launcher with PMIx", &ANY[..], number("SLURM_STEP_NUM_TASKS"))
        } else {
            return None;
        };
        let local_rank = LOCAL_RANKS.iter().find_map(|name| number(name));
        Some(Launcher { name, libraries, size, local_rank })
    }
}

/// The libraries that are tried where no launcher says which fits.
pub(crate) const LIBRARIES: &[&str] = &ANY;

#[cfg(test)]
mod tests {
    use super::*;

    fn find(variables: &[(&str, &str)]) -> Option<Launcher> {
        let found = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Launcher::find(&|name| found(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn a_launcher_is_known_by_its_variables() {
        let open_mpi =
            find(&[("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_LOCAL_RANK", "3"), ("PMIX_RANK", "3")]);
        let open_mpi = open_mpi.unwrap();
        assert_eq!(
            (open_mpi.size, open_mpi.local_rank, open_mpi.libraries[0]),
            (Some(4), Some(3), "libmpi.so.40")
        );
        let hydra =
            find(&[("PMI_RANK", "1"), ("PMI_SIZE", "2"), ("MPI_LOCALRANKID", "1"), ("MPI_LOCALNRANKS", "2")]);
        let hydra = hydra.unwrap();
        assert_eq!((hydra.size, hydra.local_rank, hydra.libraries[0]), (Some(2), Some(1), "libmpich.so.12"));
        let slurm =
            find(&[("PMIX_RANK", "0"), ("SLURM_STEP_NUM_TASKS", "8"), ("SLURM_LOCALID", "0")]).unwrap();
        assert_eq!((slurm.size, slurm.local_rank), (Some(8), Some(0)));
    }

    #[test]
    fn a_job_of_slurm_alone_and_nonsense_are_no_launcher() {
        assert_eq!(find(&[("SLURM_NTASKS", "4"), ("SLURM_LOCALID", "0")]), None);
        assert_eq!(find(&[("OMPI_COMM_WORLD_SIZE", "many"), ("PMI_SIZE", "2")]), None);
    }
}

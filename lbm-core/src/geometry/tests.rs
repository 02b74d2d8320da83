mod files;
mod orders;
mod packings;
mod propagation;
mod regions;
mod shapes;
mod tiles;
mod vessels;

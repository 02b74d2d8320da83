mod files;
mod orders;
mod packings;
mod regions;
mod shapes;
mod tiles;
mod vessels;

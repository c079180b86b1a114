//! Tables, bash as the judge, and growth of work.

mod bash;
mod collect;
mod growth;
mod table;

//! Whole conversations in the games of the open family.

use crate::noughts;


//! Move ordering for chess search: exchange evaluation, histories, a staged move picker.

-- What all names have in common that look like this one as it is written, capitals and all. Older
-- names in other letters than those of ASCII, for which it is the same, have none.
ALTER TABLE identities ADD COLUMN as_written TEXT;
UPDATE identities SET as_written = skeleton WHERE name NOT GLOB '*[^ -~]*';
CREATE UNIQUE INDEX identities_as_written ON identities (as_written);

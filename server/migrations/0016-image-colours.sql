-- What a picture is painted with most: pages of a show without a colour of its own take it from its
-- artwork. Null: a picture without any colour, or one from before this.
alter table images add column color text check (color ~ '^#[0-9a-f]{6}$');

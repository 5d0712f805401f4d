-- What the columns and indexes of the search need. Both extensions are trusted: the database's owner may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS unaccent;--> statement-breakpoint
-- No language is assumed: words are taken as they stand, without case and accents.
CREATE TEXT SEARCH CONFIGURATION plain_words (COPY = simple);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION plain_words ALTER MAPPING FOR hword, hword_part, word WITH unaccent, simple;

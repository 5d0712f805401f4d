-- Numbers are never misspelt words, and there may be as many of them as names.
CREATE OR REPLACE FUNCTION note_name_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO name_words
    SELECT DISTINCT lexeme FROM new_nodes, unnest(to_tsvector('plain_words', name)) WHERE lexeme ~ '\D' ORDER BY lexeme
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_changed_name_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO name_words
    SELECT DISTINCT lexeme FROM new_nodes AS n JOIN old_nodes AS o ON o.id = n.id AND o.name <> n.name,
      unnest(to_tsvector('plain_words', n.name)) WHERE lexeme ~ '\D' ORDER BY lexeme
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
DELETE FROM name_words WHERE word !~ '\D';

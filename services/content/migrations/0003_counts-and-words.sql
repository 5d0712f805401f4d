-- Counts and words follow the rows by statement triggers, in the transaction of the change. Rows are touched in a fixed
-- order, so that changes at the same time wait for one another instead of deadlocking.
CREATE FUNCTION count_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO node_counts
      SELECT kind, is_active, deleted_at IS NOT NULL, count(*) FROM new_nodes GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (kind, is_active, is_deleted) DO UPDATE SET total = node_counts.total + excluded.total;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO node_counts
      SELECT kind, is_active, deleted_at IS NOT NULL, -count(*) FROM old_nodes GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (kind, is_active, is_deleted) DO UPDATE SET total = node_counts.total + excluded.total;
  ELSE
    INSERT INTO node_counts
      SELECT kind, is_active, is_deleted, sum(change) FROM (
        SELECT kind, is_active, deleted_at IS NOT NULL AS is_deleted, 1 AS change FROM new_nodes
        UNION ALL
        SELECT kind, is_active, deleted_at IS NOT NULL, -1 FROM old_nodes
      ) AS changed GROUP BY 1, 2, 3 HAVING sum(change) <> 0 ORDER BY 1, 2, 3
      ON CONFLICT (kind, is_active, is_deleted) DO UPDATE SET total = node_counts.total + excluded.total;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER count_new_nodes AFTER INSERT ON nodes REFERENCING NEW TABLE AS new_nodes FOR EACH STATEMENT EXECUTE FUNCTION count_nodes();--> statement-breakpoint
CREATE TRIGGER count_changed_nodes AFTER UPDATE ON nodes REFERENCING OLD TABLE AS old_nodes NEW TABLE AS new_nodes FOR EACH STATEMENT EXECUTE FUNCTION count_nodes();--> statement-breakpoint
CREATE TRIGGER count_gone_nodes AFTER DELETE ON nodes REFERENCING OLD TABLE AS old_nodes FOR EACH STATEMENT EXECUTE FUNCTION count_nodes();--> statement-breakpoint
INSERT INTO node_counts SELECT kind, is_active, deleted_at IS NOT NULL, count(*) FROM nodes GROUP BY 1, 2, 3;--> statement-breakpoint
CREATE FUNCTION note_name_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO name_words
    SELECT DISTINCT lexeme FROM new_nodes, unnest(to_tsvector('plain_words', name)) ORDER BY lexeme
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION note_changed_name_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO name_words
    SELECT DISTINCT lexeme FROM new_nodes AS n JOIN old_nodes AS o ON o.id = n.id AND o.name <> n.name,
      unnest(to_tsvector('plain_words', n.name)) ORDER BY lexeme
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER note_new_name_words AFTER INSERT ON nodes REFERENCING NEW TABLE AS new_nodes FOR EACH STATEMENT EXECUTE FUNCTION note_name_words();--> statement-breakpoint
CREATE TRIGGER note_changed_name_words AFTER UPDATE ON nodes REFERENCING OLD TABLE AS old_nodes NEW TABLE AS new_nodes FOR EACH STATEMENT EXECUTE FUNCTION note_changed_name_words();--> statement-breakpoint
INSERT INTO name_words SELECT DISTINCT lexeme FROM nodes, unnest(to_tsvector('plain_words', name)) ON CONFLICT DO NOTHING;

ALTER TABLE "nodes" ADD COLUMN "mentor_assigned_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE FUNCTION set_mentor_assigned_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.mentor_assigned_at := clock_timestamp();
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER set_mentor_assigned_at BEFORE INSERT OR UPDATE OF mentor_id, mentor_email ON nodes FOR EACH ROW WHEN (NEW.mentor_id IS NOT NULL OR NEW.mentor_email IS NOT NULL) EXECUTE FUNCTION set_mentor_assigned_at();

ALTER TABLE "objects" DROP CONSTRAINT "objects_readable_is_whole";--> statement-breakpoint
ALTER TABLE "objects" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "objects_expiry" ON "objects" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
ALTER TABLE "objects" ADD CONSTRAINT "objects_readable_is_whole" CHECK (status not in ('ready', 'removing') or ((topic_id is not null or kind = 'job-file') and checksum <> '' and size > 0));
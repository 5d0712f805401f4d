CREATE TABLE "event_epochs" (
	"epoch" integer PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "inbox" ADD COLUMN "stream_sequence" bigint;--> statement-breakpoint
ALTER TABLE "inbox" ADD COLUMN "aggregate_id" text;--> statement-breakpoint
ALTER TABLE "inbox" ADD COLUMN "version" integer;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "stream_sequence" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_versions" ON "inbox" USING btree ("consumer","aggregate_id","version");--> statement-breakpoint
CREATE INDEX "outbox_stream_sequence" ON "outbox" USING btree ("stream_sequence") WHERE stream_sequence is not null;
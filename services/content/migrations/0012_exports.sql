CREATE TABLE "exports" (
	"id" text PRIMARY KEY NOT NULL,
	"format" text NOT NULL,
	"root_type" text,
	"root_id" text,
	"include_media" boolean NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"percent" integer DEFAULT 0 NOT NULL,
	"error" text,
	"file_id" text,
	"size" bigint,
	"checksum" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "exports_by_creation" ON "exports" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "exports_due" ON "exports" USING btree ("created_at") WHERE status in ('queued', 'running');
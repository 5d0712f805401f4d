CREATE TABLE "resumable_uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'receiving' NOT NULL,
	"user_id" text NOT NULL,
	"topic_id" text NOT NULL,
	"file_name" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"metadata" text DEFAULT '' NOT NULL,
	"length" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"holder" text,
	"lease_until" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"passport" text,
	"roles" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"result" jsonb,
	"is_counted" boolean DEFAULT false NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upload_parts" (
	"key" text PRIMARY KEY NOT NULL,
	"upload_id" text NOT NULL,
	"start" bigint,
	"size" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "upload_parts" ADD CONSTRAINT "upload_parts_upload_id_resumable_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."resumable_uploads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "resumable_uploads_user" ON "resumable_uploads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "resumable_uploads_topic" ON "resumable_uploads" USING btree ("topic_id");--> statement-breakpoint
CREATE INDEX "resumable_uploads_expiry" ON "resumable_uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "resumable_uploads_due" ON "resumable_uploads" USING btree ("due_at") WHERE status = 'received';--> statement-breakpoint
CREATE INDEX "upload_parts_upload" ON "upload_parts" USING btree ("upload_id","start");
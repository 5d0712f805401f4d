CREATE TABLE "audit_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"actor_id" text NOT NULL,
	"action" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"changes" jsonb NOT NULL,
	"request_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mentor_applications" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"motivation" text,
	"experience" text,
	"qualifications" text,
	"subject_ids" text[] DEFAULT '{}' NOT NULL,
	"reviewed_by" text,
	"reviewed_at" timestamp (3) with time zone,
	"review_note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "ordinal" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "ordinal" SET MAXVALUE 9223372036854775807;--> statement-breakpoint
ALTER TABLE "mentor_applications" ADD CONSTRAINT "mentor_applications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_created" ON "audit_entries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_actor" ON "audit_entries" USING btree ("actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_entity" ON "audit_entries" USING btree ("entity","entity_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_entity_id" ON "audit_entries" USING btree ("entity_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_action" ON "audit_entries" USING btree ("action","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "mentor_applications_one_open" ON "mentor_applications" USING btree ("user_id") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "mentor_applications_user" ON "mentor_applications" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "mentor_applications_status" ON "mentor_applications" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_waiting" ON "dead_letters" USING btree ("consumer","event_id") WHERE replayed_at is null;
CREATE TABLE "idempotency_keys" (
	"user_id" text NOT NULL,
	"path" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"status" integer NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_path_key_pk" PRIMARY KEY("user_id","path","key")
);
--> statement-breakpoint
CREATE TABLE "mentors" (
	"user_id" text PRIMARY KEY NOT NULL,
	"identity_provider_id" text,
	"email" text,
	"is_mentor" boolean NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "name_words" (
	"word" text collate "C" PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "node_counts" (
	"kind" text NOT NULL,
	"is_active" boolean NOT NULL,
	"is_deleted" boolean NOT NULL,
	"total" integer NOT NULL,
	CONSTRAINT "node_counts_kind_is_active_is_deleted_pk" PRIMARY KEY("kind","is_active","is_deleted")
);
--> statement-breakpoint
DROP INDEX "nodes_children";--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (setweight(to_tsvector('plain_words', name), 'A') || setweight(to_tsvector('plain_words', description), 'B')) STORED;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "body_search" "tsvector" GENERATED ALWAYS AS (to_tsvector('plain_words', left(content, 100000))) STORED;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "name_words_like" ON "name_words" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "nodes_by_name" ON "nodes" USING btree ("kind","name","id");--> statement-breakpoint
CREATE INDEX "nodes_by_creation" ON "nodes" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "nodes_by_update" ON "nodes" USING btree ("kind","updated_at","id");--> statement-breakpoint
CREATE INDEX "nodes_mentor_email" ON "nodes" USING btree ("mentor_email") WHERE mentor_email is not null;--> statement-breakpoint
CREATE INDEX "nodes_deleted" ON "nodes" USING btree ("kind","deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "nodes_search" ON "nodes" USING gin ("search") WHERE is_live;--> statement-breakpoint
CREATE INDEX "nodes_body_search" ON "nodes" USING gin ("body_search") WHERE is_live and kind = 'topic';--> statement-breakpoint
CREATE INDEX "nodes_called" ON "nodes" USING btree (lower(name)) WHERE is_live;--> statement-breakpoint
CREATE INDEX "nodes_containing" ON "nodes" USING gin ("name" gin_trgm_ops,"description" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "nodes_children" ON "nodes" USING btree ("parent_id","is_live","position","name","id");
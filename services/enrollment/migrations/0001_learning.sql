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
CREATE TABLE "topic_progress" (
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"topic_id" text NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"position_seconds" double precision DEFAULT 0 NOT NULL,
	"furthest_seconds" double precision DEFAULT 0 NOT NULL,
	"duration_seconds" double precision,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "topic_progress_user_id_topic_id_pk" PRIMARY KEY("user_id","topic_id"),
	CONSTRAINT "topic_progress_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"topic_id" text NOT NULL,
	"content" text NOT NULL,
	"position_seconds" double precision,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "outbox_unpublished";--> statement-breakpoint
ALTER TABLE "topic_progress" ADD CONSTRAINT "topic_progress_user_id_people_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_progress" ADD CONSTRAINT "topic_progress_topic_id_outline_id_fk" FOREIGN KEY ("topic_id") REFERENCES "public"."outline"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_user_id_people_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_topic_id_outline_id_fk" FOREIGN KEY ("topic_id") REFERENCES "public"."outline"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notes_by_user" ON "notes" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notes_by_topic" ON "notes" USING btree ("user_id","topic_id");--> statement-breakpoint
CREATE INDEX "outbox_unpublished" ON "outbox" USING btree ("ordinal") WHERE published_at is null;--> statement-breakpoint
CREATE VIEW "public"."live_topics" AS (
  select topic.id, topic.parent_id as subject_id, topic.name, topic.position
  from outline topic
  left join outline subject on subject.id = topic.parent_id
  left join outline grade on grade.id = subject.parent_id
  left join outline level on level.id = grade.parent_id
  where topic.kind = 'topic' and topic.is_live and coalesce(subject.is_live, true)
    and coalesce(grade.is_live, true) and coalesce(level.is_live, true));
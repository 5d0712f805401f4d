CREATE TABLE "aggregate_versions" (
	"aggregate_id" text PRIMARY KEY NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dead_letters" (
	"id" text PRIMARY KEY NOT NULL,
	"consumer" text NOT NULL,
	"event_id" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"headers" jsonb NOT NULL,
	"error" text NOT NULL,
	"attempts" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"replayed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "inbox" (
	"consumer" text NOT NULL,
	"event_id" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "inbox_consumer_event_id_pk" PRIMARY KEY("consumer","event_id")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"ordinal" bigint GENERATED ALWAYS AS IDENTITY (sequence name "outbox_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"aggregate_id" text NOT NULL,
	"version" integer NOT NULL,
	"data" jsonb NOT NULL,
	"changes" jsonb,
	"actor_id" text,
	"request_id" text,
	"traceparent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"parent_id" text,
	"parent_kind" text GENERATED ALWAYS AS (case kind when 'grade' then 'level' when 'subject' then 'grade' when 'topic' then 'subject' end) STORED,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"position" integer NOT NULL,
	"is_active" boolean NOT NULL,
	"is_live" boolean NOT NULL,
	"image_url" text,
	"level" text,
	"mentor_id" text,
	"mentor_email" text,
	"content" text,
	"video" jsonb,
	"documents" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"deletion_id" text,
	"was_active" boolean,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "nodes_kind_id" UNIQUE("kind","id"),
	CONSTRAINT "nodes_only_levels_are_roots" CHECK ((kind = 'level') = (parent_id is null)),
	CONSTRAINT "nodes_deleted_are_not_active" CHECK (deleted_at is null or not (is_active or is_live)),
	CONSTRAINT "nodes_live_are_active" CHECK (is_active or not is_live),
	CONSTRAINT "nodes_grades_have_a_level" CHECK ((kind = 'grade') = (level is not null)),
	CONSTRAINT "nodes_topics_have_content" CHECK ((kind = 'topic') = (content is not null))
);
--> statement-breakpoint
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_parent" FOREIGN KEY ("parent_kind","parent_id") REFERENCES "public"."nodes"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_waiting" ON "dead_letters" USING btree ("consumer","event_id") WHERE replayed_at is null;--> statement-breakpoint
CREATE INDEX "inbox_received" ON "inbox" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "outbox_unpublished" ON "outbox" USING btree ("xid","ordinal") WHERE published_at is null;--> statement-breakpoint
CREATE INDEX "outbox_published" ON "outbox" USING btree ("published_at") WHERE published_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_level_name" ON "nodes" USING btree ("name") WHERE kind = 'level' and deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_sibling_name" ON "nodes" USING btree ("parent_id","name") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "nodes_children" ON "nodes" USING btree ("parent_id","position","name","id");--> statement-breakpoint
CREATE INDEX "nodes_of_kind" ON "nodes" USING btree ("kind","position","name","id");--> statement-breakpoint
CREATE INDEX "nodes_mentor" ON "nodes" USING btree ("mentor_id") WHERE mentor_id is not null;--> statement-breakpoint
CREATE INDEX "nodes_deletion" ON "nodes" USING btree ("deletion_id") WHERE deletion_id is not null;
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
CREATE TABLE "objects" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'receiving' NOT NULL,
	"topic_id" text,
	"key" text NOT NULL,
	"multipart_id" text,
	"file_name" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"mime_type" text DEFAULT 'application/octet-stream' NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"checksum" text DEFAULT '' NOT NULL,
	"uploaded_by" text NOT NULL,
	"uploaded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"passport" text,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "objects_key_unique" UNIQUE("key"),
	CONSTRAINT "objects_readable_is_whole" CHECK (status not in ('ready', 'removing') or (topic_id is not null and checksum <> '' and size > 0))
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
CREATE UNIQUE INDEX "dead_letters_waiting" ON "dead_letters" USING btree ("consumer","event_id") WHERE replayed_at is null;--> statement-breakpoint
CREATE INDEX "inbox_received" ON "inbox" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "objects_current_video" ON "objects" USING btree ("topic_id") WHERE kind = 'video' and status in ('ready', 'removing');--> statement-breakpoint
CREATE INDEX "objects_topic" ON "objects" USING btree ("topic_id");--> statement-breakpoint
CREATE INDEX "objects_uploader" ON "objects" USING btree ("uploaded_by","uploaded_at");--> statement-breakpoint
CREATE INDEX "objects_due" ON "objects" USING btree ("due_at") WHERE status <> 'ready';--> statement-breakpoint
CREATE INDEX "outbox_unpublished" ON "outbox" USING btree ("xid","ordinal") WHERE published_at is null;--> statement-breakpoint
CREATE INDEX "outbox_published" ON "outbox" USING btree ("published_at") WHERE published_at is not null;
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
CREATE TABLE "enrollments" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"subject_id" text NOT NULL,
	"status" text NOT NULL,
	"source" text NOT NULL,
	"message" text,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" text,
	"decision_reason" text,
	"expires_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"ended_by" text,
	"end_reason" text,
	"is_restorable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "enrollments_status" CHECK (status in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'WITHDRAWN', 'REVOKED', 'EXPIRED'))
);
--> statement-breakpoint
CREATE TABLE "outline" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"parent_id" text,
	"name" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"is_live" boolean NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"first_name" text,
	"last_name" text,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_user_id_people_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_subject_id_outline_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."outline"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_waiting" ON "dead_letters" USING btree ("consumer","event_id") WHERE replayed_at is null;--> statement-breakpoint
CREATE INDEX "inbox_received" ON "inbox" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "outbox_unpublished" ON "outbox" USING btree ("xid","ordinal") WHERE published_at is null;--> statement-breakpoint
CREATE INDEX "outbox_published" ON "outbox" USING btree ("published_at") WHERE published_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "enrollments_one_open" ON "enrollments" USING btree ("user_id","subject_id") WHERE status in ('PENDING', 'APPROVED');--> statement-breakpoint
CREATE INDEX "enrollments_by_user" ON "enrollments" USING btree ("user_id","requested_at");--> statement-breakpoint
CREATE INDEX "enrollments_by_subject" ON "enrollments" USING btree ("subject_id","requested_at");--> statement-breakpoint
CREATE INDEX "enrollments_by_status" ON "enrollments" USING btree ("status","requested_at","id");--> statement-breakpoint
CREATE INDEX "enrollments_by_request" ON "enrollments" USING btree ("requested_at","id");--> statement-breakpoint
CREATE INDEX "enrollments_expiring" ON "enrollments" USING btree ("expires_at") WHERE status = 'APPROVED';--> statement-breakpoint
CREATE INDEX "outline_children" ON "outline" USING btree ("parent_id","position");
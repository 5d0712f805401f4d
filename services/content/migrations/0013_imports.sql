CREATE TABLE "import_items" (
	"import_id" text NOT NULL,
	"number" integer NOT NULL,
	"parent" integer,
	"kind" text NOT NULL,
	"location" text NOT NULL,
	"fields" jsonb NOT NULL,
	"defaults" jsonb NOT NULL,
	"lists_children" boolean NOT NULL,
	"node_id" text,
	"new_id" text NOT NULL,
	CONSTRAINT "import_items_import_id_number_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "import_media" (
	"import_id" text NOT NULL,
	"number" integer NOT NULL,
	"topic_id" text NOT NULL,
	"location" text NOT NULL,
	"kind" text NOT NULL,
	"entry" jsonb NOT NULL,
	"is_done" boolean DEFAULT false NOT NULL,
	CONSTRAINT "import_media_import_id_number_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" text PRIMARY KEY NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"mode" text NOT NULL,
	"dry_run" boolean NOT NULL,
	"format" text NOT NULL,
	"file_name" text NOT NULL,
	"file_id" text,
	"size" bigint NOT NULL,
	"percent" integer DEFAULT 0 NOT NULL,
	"counts" jsonb DEFAULT '{"created":0,"updated":0,"unchanged":0,"deleted":0,"media":0}'::jsonb NOT NULL,
	"issues" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"issue_count" integer DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"request_id" text NOT NULL,
	"is_cancel_requested" boolean DEFAULT false NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lease_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "import_items" ADD CONSTRAINT "import_items_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_media" ADD CONSTRAINT "import_media_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_items_parent" ON "import_items" USING btree ("import_id","parent");--> statement-breakpoint
CREATE INDEX "import_items_node" ON "import_items" USING btree ("import_id","node_id");--> statement-breakpoint
CREATE INDEX "imports_by_creation" ON "imports" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "imports_due" ON "imports" USING btree ("due_at") WHERE status in ('queued', 'checking', 'importing');
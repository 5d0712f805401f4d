CREATE TABLE "renditions" (
	"video_id" text NOT NULL,
	"height" integer NOT NULL,
	"width" integer NOT NULL,
	"bandwidth" integer NOT NULL,
	"codecs" text NOT NULL,
	"object_id" text NOT NULL,
	"init_length" integer NOT NULL,
	"segments" jsonb NOT NULL,
	CONSTRAINT "renditions_video_id_height_pk" PRIMARY KEY("video_id","height")
);
--> statement-breakpoint
CREATE TABLE "video_processing" (
	"video_id" text PRIMARY KEY NOT NULL,
	"status" text DEFAULT 'none' NOT NULL,
	"percent" integer DEFAULT 0 NOT NULL,
	"error" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_id" text,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"duration_seconds" double precision,
	"width" integer,
	"height" integer,
	"has_audio" boolean,
	"poster_id" text,
	"sprite_id" text,
	"sprite" jsonb
);
--> statement-breakpoint
ALTER TABLE "objects" ADD COLUMN "derived_from" text;--> statement-breakpoint
ALTER TABLE "renditions" ADD CONSTRAINT "renditions_video_id_objects_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."objects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renditions" ADD CONSTRAINT "renditions_object_id_objects_id_fk" FOREIGN KEY ("object_id") REFERENCES "public"."objects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video_processing" ADD CONSTRAINT "video_processing_video_id_objects_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."objects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video_processing" ADD CONSTRAINT "video_processing_poster_id_objects_id_fk" FOREIGN KEY ("poster_id") REFERENCES "public"."objects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "video_processing" ADD CONSTRAINT "video_processing_sprite_id_objects_id_fk" FOREIGN KEY ("sprite_id") REFERENCES "public"."objects"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "renditions_object" ON "renditions" USING btree ("object_id");--> statement-breakpoint
CREATE INDEX "video_processing_due" ON "video_processing" USING btree ("due_at") WHERE status in ('none', 'queued', 'processing');--> statement-breakpoint
CREATE INDEX "objects_derived" ON "objects" USING btree ("derived_from") WHERE derived_from is not null;
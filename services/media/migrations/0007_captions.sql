CREATE TABLE "captions" (
	"video_id" text NOT NULL,
	"language" text NOT NULL,
	"label" text NOT NULL,
	"kind" text NOT NULL,
	"is_default" boolean NOT NULL,
	"content" text NOT NULL,
	"checksum" text NOT NULL,
	"uploaded_by" text NOT NULL,
	"uploaded_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "captions_video_id_language_pk" PRIMARY KEY("video_id","language")
);
--> statement-breakpoint
ALTER TABLE "captions" ADD CONSTRAINT "captions_video_id_objects_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."objects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "captions_default" ON "captions" USING btree ("video_id") WHERE is_default;--> statement-breakpoint
CREATE INDEX "captions_uploader" ON "captions" USING btree ("uploaded_by");
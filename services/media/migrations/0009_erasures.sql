CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"unique_hash" text NOT NULL,
	"other_hashes" text[] NOT NULL,
	"erased_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stream_erased_at" timestamp (3) with time zone
);

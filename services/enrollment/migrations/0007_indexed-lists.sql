-- The extension is trusted: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE INDEX "enrollments_of_subject" ON "enrollments" USING btree ("subject_id","status","requested_at","id","expires_at");--> statement-breakpoint
CREATE INDEX "enrollments_by_decision" ON "enrollments" USING btree ("decided_at","id");--> statement-breakpoint
CREATE INDEX "enrollments_by_creation" ON "enrollments" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "enrollments_by_update" ON "enrollments" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "enrollments_by_status_and_id" ON "enrollments" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "enrollments_texts" ON "enrollments" USING gin ("message" gin_trgm_ops,"decision_reason" gin_trgm_ops,"end_reason" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "outline_subject_names" ON "outline" USING gin ("name" gin_trgm_ops) WHERE kind = 'subject';--> statement-breakpoint
CREATE INDEX "people_search" ON "people" USING gin ((coalesce(first_name, '') || ' ' || coalesce(last_name, '') || E'\n' || email) gin_trgm_ops);
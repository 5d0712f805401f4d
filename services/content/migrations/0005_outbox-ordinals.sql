DROP INDEX "outbox_unpublished";--> statement-breakpoint
CREATE INDEX "outbox_unpublished" ON "outbox" USING btree ("ordinal") WHERE published_at is null;--> statement-breakpoint
ALTER TABLE "outbox" DROP COLUMN "xid";
// Generated from gateway/openapi.json: pnpm --filter @lms/client generate
export interface paths {
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes that admins made in any service
         * @description Changes to users are recorded in the same transaction; changes in the other services are recorded from their events. `action` is named like the event of the change. Filters without a match return an empty list. `search` matches the action, the entity and its id, the id of the actor and the request id. Entries never change, so `updatedFrom` and `updatedTo` compare with `createdAt` as well.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the exports of the last days
         * @description Exports are listed for seven days after they ended. `search` matches formats and types of roots.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listExports"];
        put?: never;
        /**
         * Starts an export of the curriculum or of a part of it
         * @description Exports everything that is not deleted, as of one moment; inactive items have `isActive: false`. With `rootType` and `rootId` only that item, with its ancestors and everything below it. `includeMedia` adds videos, captions and documents to `zip` and `imscc`. The export runs in the background: request it until its `status` is `completed`, then download the file. Importing it into an empty system and exporting again gives the same bytes, except for ids.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an export, with the address of its file
         * @description `percent` rises while it runs. A completed export has a new `downloadUrl` in each response.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/grades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists grades of all states
         * @description A flat list over all parents. Deleted items are excluded unless `includeDeleted` is true. An unknown ancestor returns an empty list. `search` matches names and descriptions.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listManagedGrades"];
        put?: never;
        /**
         * Creates a grade
         * @description Returns 404 if the parent does not exist, and 409 `CONFLICT` if a sibling has the same name, or another item of the kind the same `externalId`. Names are compared exactly, in NFC; deleted items do not count.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["createGrade"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/grades/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one grade in any state
         * @description Includes inactive and deleted items.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["getManagedGrade"];
        /**
         * Updates or moves a grade
         * @description Updates the given fields; other fields keep their values. A new parent moves the item with everything below it, to the last position unless `position` is given. Returns 409 `CONFLICT` if a sibling has the same name, or another item of the kind the same `externalId`.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["updateGrade"];
        post?: never;
        /**
         * Deletes a grade and everything below it
         * @description A soft delete: the item can be restored until it is purged, and its name can be used again at once. With `dryRun=true` nothing is deleted: the response has the counts, and `deletedAt` is null.
         *
         *     Requires the role `ADMIN`.
         */
        delete: operations["deleteGrade"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/grades/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a deleted grade
         * @description Restores exactly the items that were deleted together with it, each with its former `isActive`. Returns 404 if the parent is deleted, 409 `CONFLICT` if a sibling now has the same name or another item the same `externalId`, and 409 `INVALID_STATE` if the item is not deleted.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["restoreGrade"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/grades/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reorders grades
         * @description `ids` lists all undeleted children of the parent in their new order, at most 5,000. Returns 422 with one issue per missing, duplicate or unrelated id. A parent can have more children, through imports: change their order with `position` in an import or in updates of single items.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["reorderGrades"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists imports
         * @description By default the newest first. `search` matches file names. Imports are listed for 90 days.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Imports a curriculum
         * @description multipart/form-data with one file part `file`, at most 2 GiB, of a format that its extension names; or `curriculum.json` itself as a JSON body of at most 16 MiB.
         *
         *     - `.json`: `curriculum.json`, whose JSON Schema is at `/api/schemas/curriculum.json`
         *     - `.zip`: `curriculum.json` at the root of the archive, with the videos, captions and documents that it names beside it
         *     - `.csv`: a row per item, with the columns `level`, `grade`, `subject`, `topic`, `description`, and optional `content`, `category` (the `level` of a grade) and `externalId`
         *     - `.imscc`: an IMS Common Cartridge 1.0 to 1.3; what has no place in a curriculum becomes a warning
         *
         *     The file is checked as a whole first; with any error the import is `failed` and nothing has changed. Then all items are written in one transaction, and after that the files are stored one by one. A file that is refused there becomes a warning. An import survives restarts: it starts again, or goes on with the files that are left.
         *
         *     Items are matched by `externalId`, else by their name below their parent. A field that the file leaves out keeps its value. A document is matched by its name. A topic has at most 1,000 documents, and their entries, with names and descriptions, at most 768 KiB; an import that would exceed this is `failed`. An import in progress delays other changes of the curriculum while the items are written.
         *
         *     Archives with more than 20,000 entries, an entry or a whole that expands to more than 200 times its size, absolute paths, `..`, links, encrypted entries, names that are not UTF-8 or occur twice are refused: the import is `failed`, and the issue names the entry.
         *
         *     The response is sent once the file is received; a dry run responds with 200 and the result. Dry runs take turns: one whose turn does not come within nine seconds is a 503 with `Retry-After`. An upload that is cut off leaves nothing; send the file again.
         *
         *     An `Idempotency-Key` belongs to a path and a body, not to a query: a dry run and the import after it need different keys, and so do two modes.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an import
         * @description With its progress while it runs, and its result afterwards.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/imports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels an import
         * @description Before the items are written, nothing has changed. While the files are stored, the items and the files that are stored remain; `counts` says which. A running import stops within seconds: read it again for its status. Returns 409 `INVALID_STATE` if it has ended.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/levels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists levels of all states
         * @description A flat list over all parents. Deleted items are excluded unless `includeDeleted` is true. An unknown ancestor returns an empty list. `search` matches names and descriptions.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listManagedLevels"];
        put?: never;
        /**
         * Creates a level
         * @description Returns 409 `CONFLICT` if another level has the same name or `externalId`. Names are compared exactly, in NFC; deleted levels do not count.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["createLevel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/levels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one level in any state
         * @description Includes inactive and deleted items.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["getManagedLevel"];
        /**
         * Updates or moves a level
         * @description Updates the given fields; other fields keep their values. Returns 409 `CONFLICT` if another level has the same name or `externalId`.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["updateLevel"];
        post?: never;
        /**
         * Deletes a level and everything below it
         * @description A soft delete: the item can be restored until it is purged, and its name can be used again at once. With `dryRun=true` nothing is deleted: the response has the counts, and `deletedAt` is null.
         *
         *     Requires the role `ADMIN`.
         */
        delete: operations["deleteLevel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/levels/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a deleted level
         * @description Restores exactly the items that were deleted together with it, each with its former `isActive`. Returns 404 if the parent is deleted, 409 `CONFLICT` if a sibling now has the same name or another item the same `externalId`, and 409 `INVALID_STATE` if the item is not deleted.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["restoreLevel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/levels/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reorders levels
         * @description `ids` lists all undeleted children of the parent in their new order, at most 5,000. Returns 422 with one issue per missing, duplicate or unrelated id. A parent can have more children, through imports: change their order with `position` in an import or in updates of single items.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["reorderLevels"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists subjects of all states
         * @description A flat list over all parents. Deleted items are excluded unless `includeDeleted` is true. An unknown ancestor returns an empty list. `search` matches names and descriptions.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listManagedSubjects"];
        put?: never;
        /**
         * Creates a subject
         * @description Returns 404 if the parent does not exist, and 409 `CONFLICT` if a sibling has the same name, or another item of the kind the same `externalId`. Names are compared exactly, in NFC; deleted items do not count.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["createSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/subjects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one subject in any state
         * @description Includes inactive and deleted items.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["getManagedSubject"];
        /**
         * Updates or moves a subject
         * @description Updates the given fields; other fields keep their values. A `mentorId` without a `mentorEmail` clears the e-mail. A new parent moves the item with everything below it, to the last position unless `position` is given. Returns 409 `CONFLICT` if a sibling has the same name, or another item of the kind the same `externalId`.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["updateSubject"];
        post?: never;
        /**
         * Deletes a subject and everything below it
         * @description A soft delete: the item can be restored until it is purged, and its name can be used again at once. With `dryRun=true` nothing is deleted: the response has the counts, and `deletedAt` is null.
         *
         *     Requires the role `ADMIN`.
         */
        delete: operations["deleteSubject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/subjects/{id}/mentor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets or removes a subject's mentor
         * @description Replaces the assignment; a field that is not given is cleared. An assignment with `mentorEmail` only belongs to the mentor who has verified that e-mail.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["assignSubjectMentor"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/subjects/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a deleted subject
         * @description Restores exactly the items that were deleted together with it, each with its former `isActive`. Returns 404 if the parent is deleted, 409 `CONFLICT` if a sibling now has the same name or another item the same `externalId`, and 409 `INVALID_STATE` if the item is not deleted.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["restoreSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/subjects/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reorders subjects
         * @description `ids` lists all undeleted children of the parent in their new order, at most 5,000. Returns 422 with one issue per missing, duplicate or unrelated id. A parent can have more children, through imports: change their order with `position` in an import or in updates of single items.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["reorderSubjects"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists topics of all states
         * @description A flat list over all parents. Deleted items are excluded unless `includeDeleted` is true. An unknown ancestor returns an empty list. `search` matches names and descriptions. `content` is included while the texts of a page together stay within 1 MiB; beyond that it is null and `contentOmitted` is true.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listManagedTopics"];
        put?: never;
        /**
         * Creates a topic
         * @description Returns 404 if the parent does not exist, and 409 `CONFLICT` if a sibling has the same name, or another item of the kind the same `externalId`. Names are compared exactly, in NFC; deleted items do not count.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["createTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one topic in any state
         * @description Includes inactive and deleted items.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["getManagedTopic"];
        /**
         * Updates or moves a topic
         * @description Updates the given fields; other fields keep their values. A new parent moves the item with everything below it, to the last position unless `position` is given. Returns 409 `CONFLICT` if a sibling has the same name, or another item of the kind the same `externalId`.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["updateTopic"];
        post?: never;
        /**
         * Deletes a topic
         * @description A soft delete: the item can be restored until it is purged, and its name can be used again at once. With `dryRun=true` nothing is deleted: the response has the counts, and `deletedAt` is null.
         *
         *     Requires the role `ADMIN`.
         */
        delete: operations["deleteTopic"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/{id}/documents/{docId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a document from its topic
         * @description For admins and the mentor of the subject. Returns 404 if the document belongs to another topic.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        delete: operations["removeDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a deleted topic
         * @description Restores exactly the items that were deleted together with it, each with its former `isActive`. Returns 404 if the parent is deleted, 409 `CONFLICT` if a sibling now has the same name or another item the same `externalId`, and 409 `INVALID_STATE` if the item is not deleted.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["restoreTopic"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/{id}/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload or replace a topic's video
         * @description multipart/form-data with one file part `video`: mp4, webm, ogg, mov or avi, identified by its case-insensitive extension. A file whose first bytes are recognizably of another format (another of these five, mkv, PDF, ZIP, an image, HTML, an executable) returns 400; bytes of no known format are accepted. For mkv the error explains how to convert the file. Only admins and the mentor of the subject may upload; this is checked at the beginning and at the end of the upload. Readers see either the previous or the new video, never a part of each. A failed upload leaves nothing behind. A user may hold at most a quarter of the upload slots. An upload beyond that share, or one that arrives while all slots are taken, waits three seconds for a slot. It then gets 429 (`details {scope: upload, limit, resetAt}`, where `limit` is the number of concurrent uploads per user) or, when other users hold the slots, 503. Both carry `Retry-After`. An upload that averages less than 1 KiB per second over 30 seconds gets 408.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        put: operations["replaceVideo"];
        post?: never;
        /**
         * Remove a topic's video
         * @description For admins and the mentor of the subject. Returns 404 if the topic has no video.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        delete: operations["removeVideo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/{id}/video/captions/{language}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add or replace captions of a video
         * @description multipart/form-data with one file part `captions`: WebVTT or SubRip (recognized by its content), UTF-8, at most 2 MiB and 20,000 cues. Optional text parts, in any order: `label` (by default the name of the language in that language), `kind` (by default `captions`) and `default` (`true` or `false`; at most one track of a video is the default). The file is stored as WebVTT: SubRip is converted, and styles, comments and tags that WebVTT does not have are left out. A file that cannot be read returns 422; the message names the line. A video has at most 50 tracks, one for each language (409). Uploading the stored track again changes nothing. Its topic lists the tracks as soon as the response is sent. Replacing or removing the video removes its captions. A user may hold at most a quarter of the upload slots. An upload beyond that share, or one that arrives while all slots are taken, waits three seconds for a slot. It then gets 429 (`details {scope: upload, limit, resetAt}`, where `limit` is the number of concurrent uploads per user) or, when other users hold the slots, 503. Both carry `Retry-After`. An upload that averages less than 1 KiB per second over 30 seconds gets 408.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        put: operations["uploadCaptions"];
        post?: never;
        /**
         * Remove captions of a video
         * @description For admins and the mentor of the subject. Returns 404 if the video has no captions in the language.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        delete: operations["removeCaptions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/{id}/video/processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a video again
         * @description For admins and the mentor of the subject: `failed` → `queued`. Returns 409 `INVALID_STATE` with `details.current` in any other state: a video that is `queued`, `processing` or `ready` needs no second start, and one that is `none` starts as soon as a worker sees it.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        post: operations["restartVideoProcessing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/{id}/video/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a resumable upload of a video
         * @description Creates an upload by the protocol tus 1.0.0, which survives lost connections: send the bytes with PATCH requests to the URL in `Location`. The body is empty, or holds the first bytes (`application/offset+octet-stream`). Permission, monthly quota, size and extension are checked now, and all again at the end. At the end the file takes the same way as with `PUT /api/admin/education/topics/{id}/video`; its response is the result of the upload. The upload counts once, when it has succeeded, against the monthly quota, and its creation against the rate limit of uploads. A user may have 50 unfinished uploads (else 429). An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        post: operations["createVideoUpload"];
        delete?: never;
        /**
         * Describe resumable uploads of videos
         * @description The version, the extensions and the maximum size of resumable uploads (tus 1.0.0). A CORS preflight gets the usual response instead.
         */
        options: operations["describeVideoUploads"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/{id}/video/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a resumable upload of a video
         * @description Deletes the upload and its bytes; a file that is attached already stays. Returns 423 while the file is being attached. An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        delete: operations["terminateVideoUpload"];
        options?: never;
        /**
         * Get the offset of a resumable upload of a video
         * @description The offset from which to go on after a lost connection. Bytes that arrived before it broke are included. An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.
         */
        head: operations["headVideoUpload-head"];
        /**
         * Send bytes of a resumable upload of a video
         * @description Appends the body at `Upload-Offset`, which has to be the offset of the upload (else 409; `details.value` is the right one). A request that arrives while another one sends bytes of the same upload waits three seconds for it, and gets 423 then. The request with the last bytes also checks and attaches the file, and waits some seconds for that; whether it succeeded is the result of the upload. Each request counts as a call. An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes. A user may hold at most a quarter of the upload slots. An upload beyond that share, or one that arrives while all slots are taken, waits three seconds for a slot. It then gets 429 (`details {scope: upload, limit, resetAt}`, where `limit` is the number of concurrent uploads per user) or, when other users hold the slots, 503. Both carry `Retry-After`. An upload that averages less than 1 KiB per second over 30 seconds gets 408.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        patch: operations["appendToVideoUpload"];
        trace?: never;
    };
    "/api/admin/education/topics/{id}/video/uploads/{uploadId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the result of a resumable upload of a video
         * @description 202 until the upload is done, then the response of `PUT /api/admin/education/topics/{id}/video`: the attached file, or the error that it would have got, such as 400 `UNSUPPORTED_FORMAT` or 403 for a mentor who has lost the subject. An error of the 4xx is final; after a 503 try again. Available for 24 hours. An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.
         */
        get: operations["getVideoUploadResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/education/topics/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reorders topics
         * @description `ids` lists all undeleted children of the parent in their new order, at most 5,000. Returns 422 with one issue per missing, duplicate or unrelated id. A parent can have more children, through imports: change their order with `position` in an import or in updates of single items.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["reorderTopics"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/enrollment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all enrollments
         * @description Enrollments of every status, latest first; filter with `status`. `search` matches the user's names and e-mail, the message, the reasons and the subject's name.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listAllEnrollments"];
        put?: never;
        /**
         * Enroll a user without a request
         * @description Creates an APPROVED enrollment with source ADMIN. Returns 409 `CONFLICT` if the user already has an open enrollment or request in the subject, and 404 if the user is unknown or deleted or the subject is unknown or not live.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["enrollUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/enrollment.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all enrollments as CSV
         * @description Oldest first, with the filters of the list. `search` matches the user's names and e-mail, the message, the reasons and the subject's name. The file is CSV (RFC 4180) in UTF-8 with a header row, from one consistent read. It contains all rows that match, without pages. Values that a spreadsheet would take for a formula, because they begin with `=`, `+`, `-`, `@`, a tab or a carriage return, are preceded by an apostrophe. The file has no entity tag. A client has five minutes to read it. While many files are being read, the response is 503 with `Retry-After`.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["exportEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/enrollment/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Approve an enrollment
         * @description PENDING → APPROVED, by an administrator. Returns 409 `INVALID_STATE` with `details {current}` from any other status. The enrollment expires at `expiresAt`, if given. The body is optional. A repetition by the same caller with the same `Idempotency-Key` and body returns the first response again, for example after a lost connection.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["approveEnrollment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/enrollment/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reject an enrollment
         * @description PENDING → REJECTED, by an administrator. Returns 409 `INVALID_STATE` with `details {current}` from any other status. The reason is stored as `decisionReason`. The body is optional. A repetition by the same caller with the same `Idempotency-Key` and body returns the first response again, for example after a lost connection.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["rejectEnrollment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/enrollment/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Revoke an enrollment
         * @description APPROVED → REVOKED, by an administrator. Returns 409 `INVALID_STATE` with `details {current}` from any other status. The reason is stored as `endReason`. Access to protected content ends within a second; progress and notes are kept. The body is optional. A repetition by the same caller with the same `Idempotency-Key` and body returns the first response again, for example after a lost connection.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["revokeEnrollment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/enrollment/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve, reject or revoke many enrollments
         * @description Returns 200 with one result per id, in the order of `ids`. An unknown id (`NOT_FOUND`), an enrollment in another status or a repeated id (both `INVALID_STATE`) does not affect the others. All changes are made in one transaction: after a 503 none of them has been made.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["decideEnrollments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/enrollment/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enroll the users of a roster
         * @description A CSV file (RFC 4180, UTF-8, with or without a byte order mark, lines that end with CRLF or LF) as the part `file` of a form, or as the body with the type `text/csv`. At most 4 MiB (413) and 10000 lines of at most 16384 bytes (422). The first line names the columns, in any order: `email`, `userId`, `subjectId`, `subjectExternalId`, `expiresAt`. One of `email` and `userId` and one of `subjectId` and `subjectExternalId` are required; a line that has both must mean the same user or subject. `email` finds users by their verified e-mail only. `expiresAt` is a date or time in the future, in ISO 8601. An apostrophe before `=`, `+`, `-`, `@` or a control character, as spreadsheets expect it, is removed. An unknown column, a missing header or malformed CSV returns 422, and nothing is changed.
         *
         *     Each line has its own result, in the order of the file: a line that is invalid (`VALIDATION_ERROR`), or whose user or subject is unknown, deleted or not live (`NOT_FOUND`), does not affect the others. A user who is not enrolled gets an APPROVED enrollment with the source ADMIN, and a pending request is approved. A user who is already enrolled stays enrolled, with the same `expiresAt`. So a repetition of the request changes nothing, and needs no `Idempotency-Key`. The response is written while the lines are imported, 500 of them in one transaction. If the import is interrupted, the lines that are left fail with `SERVICE_UNAVAILABLE`, or, if none was imported, the response is 503: repeat the request.
         *
         *     With `dryRun=true` the results are the same, but nothing is changed.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["importRoster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/enrollment/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pending enrollments
         * @description Oldest first. `search` matches the user's names and e-mail, the message, the reasons and the subject's name.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listPendingEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mentor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List applications
         * @description `search` matches `motivation`, `experience`, `qualifications` and `reviewNote`, and the name and e-mail of the applicant.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listMentorApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mentor/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an application
         * @description Returns an application in any state, with the applicant.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["getMentorApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mentor/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Approve an application
         * @description PENDING → APPROVED. Assigns the role MENTOR in the same transaction. Returns 409 `INVALID_STATE` with `details.current` if the application is not PENDING; of two concurrent decisions one succeeds. The body is optional. A repetition by the same caller with the same `Idempotency-Key` and body returns the first response again, for example after a lost connection.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["approveMentorApplication"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mentor/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reject an application
         * @description PENDING → REJECTED. Stores the reason as `reviewNote`. Returns 409 `INVALID_STATE` with `details.current` if the application is not PENDING; of two concurrent decisions one succeeds. The body is optional. A repetition by the same caller with the same `Idempotency-Key` and body returns the first response again, for example after a lost connection.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["rejectMentorApplication"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mentor/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pending applications, oldest first
         * @description `search` matches `motivation`, `experience`, `qualifications` and `reviewNote`, and the name and e-mail of the applicant.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listPendingMentorApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user
         * @description Returns the user of the token with roles, status and plan. The first request with a token of a new user creates the account.
         */
        get: operations["getProfile"];
        /**
         * Update the current user's names
         * @description Omitted fields stay unchanged; a null or empty name removes it. E-mail, roles, status and plan cannot be changed here and are ignored.
         */
        put: operations["updateProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/profile/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all data about the caller
         * @description Collects the data from all services, as one JSON document or, with `format=zip`, as a ZIP archive: `manifest.json` (`{version, createdAt, userId, files: [{name, count, size, sha256}]}`), `account.json`, `roles.json` (the history), `applications.json`, `changes.json` (by admins), `mentor-assignments.json`, `enrollments.json` (the history), `progress.json`, `notes.json`, and `uploads/documents.json`, `uploads/videos.json` and `uploads/captions.json`. The export is never partial: if a service is unavailable, the response is 503 and `details.missing` names it; so it does if the data of one service have more than 32 MiB, some thousand notes of full length.
         */
        get: operations["exportProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Synchronise a user from the identity provider
         * @description The body is only a hint. It can create a provisional LEARNER with an unverified e-mail if the user is unknown (201). The account is confirmed by the first valid token with that `sub`, with or without an e-mail, or by the provider itself; by the token of this request as well. The e-mail stays unverified until a token or the provider verifies it. A hint never changes an existing user (200) and never links two ids (409). If another user verifies the e-mail, that user gets it: an account that has never been used is closed, and its `userId` can be sent again; an account in use continues without the e-mail and keeps only the role LEARNER. In `verify` mode the service requests the account from the provider and stores the provider's state instead, with or without a token. With a bearer token, `userId` must be the token's `sub`. The token's verified e-mail is stored if it is newer than the provider's last state, and the response is the caller's own user. The status is 201 if this request created the account, also by the token's verified e-mail. Without a token, the response repeats the e-mail of the request.
         */
        post: operations["syncUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's quotas of this month
         * @description Calls and uploads of the current UTC month against the limits of the plan. Admins are exempt from quotas.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/exports/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the file of an export
         * @description The address of `downloadUrl`, which contains its permission: no bearer token is needed. `Repr-Digest` has the SHA-256 hash. Returns 404 if the address has expired or the file was removed, and 429 or 503 with `Retry-After` while too many downloads are in progress. A client that stops reading for 150 seconds is disconnected.
         */
        get: operations["downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/grades/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one grade
         * @description Returns 404 if the grade or an ancestor is inactive.
         */
        get: operations["getGrade"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/grades/{id}/subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists subjects
         * @description Returns active items whose ancestors are all active, by default ordered by `position`, then `name`. `search` matches names and descriptions.
         */
        get: operations["listSubjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/levels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists levels
         * @description Returns active items whose ancestors are all active, by default ordered by `position`, then `name`. `search` matches names and descriptions.
         */
        get: operations["listLevels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/levels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one level
         * @description Returns 404 if the level or an ancestor is inactive.
         */
        get: operations["getLevel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/levels/{id}/grades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists grades
         * @description Returns active items whose ancestors are all active, by default ordered by `position`, then `name`. `search` matches names and descriptions.
         */
        get: operations["listGrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches names, descriptions, and the topic texts that the caller may read
         * @description An item matches if it contains every word of `q`. The last word, and any word that no name contains as a whole, match as prefixes. Case and accents are ignored. If nothing matches, words that no name contains find similar words of names. Results are ordered by relevance: exact names, names, descriptions, then texts (their first 100,000 characters). For very common words only a few hundred matches are ranked and counted. `search` filters the matches to names and descriptions that contain it. Filters apply to the first 10,000 matches in names, in descriptions and in texts each. With `sort=relevance`, `order=desc` returns the best match last.
         */
        get: operations["searchEducation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/subjects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one subject
         * @description Returns 404 if the subject or an ancestor is inactive.
         */
        get: operations["getSubject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/subjects/{id}/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists topics
         * @description Returns active items whose ancestors are all active, by default ordered by `position`, then `name`. `search` matches names and descriptions. `content` is included while the texts of a page together stay within 1 MiB; beyond that it is null and `contentOmitted` is true.
         */
        get: operations["listTopics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/topics/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns one topic
         * @description Everyone can read the outline. `content`, `videoUrl` and `documents` require access; `access` says whether the caller has it and why not. Returns 404 if the topic or an ancestor is inactive.
         */
        get: operations["getTopic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/topics/{id}/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a topic's video
         * @description For admins, the mentor of the subject and learners enrolled in it. A single byte range (206, or 416 with `Content-Range: bytes *\/size`), `If-Range` and conditional requests work as in RFC 9110; a request for several ranges returns the whole file. A playback URL, with its `playback` parameter, needs no bearer token. It returns 403 once it has expired, the user has lost access, or the video was replaced or removed, and 404 for a token that cannot be read.
         */
        get: operations["streamVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/topics/{id}/video/captions/{language}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get captions of a video
         * @description WebVTT, for admins, the mentor of the subject and learners enrolled in it. With the `playback` parameter of a playback URL it needs no bearer token. For a `<track>` element, use the addresses in the response of the playback request.
         */
        get: operations["getCaptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/topics/{id}/video/playback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create addresses for playing a topic's video
         * @description For users with access to the topic. Returns addresses for players, which cannot send an `Authorization` header. They work for 15 minutes; request new ones before that to play on. They are bound to the caller and the current video: they stop working within a second when the video is replaced or removed, and when the caller loses access.
         */
        post: operations["openPlayback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/topics/{id}/video/processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a video's processing
         * @description For admins and the mentor of the subject. A worker makes the renditions of an uploaded video, its poster and its preview images; the uploaded file can be played in the meantime. A failure that may be temporary is retried, an unsuitable file is not. Without a video, and where no worker can process videos, `status` is `none`. The topic agrees with `ready` and `failed` as soon as the response is sent.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        get: operations["getVideoProcessing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/education/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the whole outline in one response
         * @description Returns active levels, grades and subjects whose ancestors are all active, and the number of topics of each subject.
         */
        get: operations["readTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrollment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's enrollments
         * @description Includes closed enrollments, latest first. An enrollment is EXPIRED from `expiresAt` on. `search` matches the message, the reasons and the subject's name.
         */
        get: operations["listEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrollment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of the caller's enrollments
         * @description Returns 404 for an enrollment of another user.
         */
        get: operations["getEnrollment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrollment/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending request
         * @description PENDING → CANCELLED, by the learner. Returns 409 `INVALID_STATE` with `details {current}` from any other status.
         */
        post: operations["cancelEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrollment/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a subject
         * @description APPROVED → WITHDRAWN, by the learner. Returns 409 `INVALID_STATE` with `details {current}` from any other status. Progress and notes are kept.
         */
        post: operations["withdrawEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enrollment/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request an enrollment in a subject
         * @description Creates a PENDING enrollment. A user has at most one open (PENDING or APPROVED) enrollment in a subject; a second request returns 409 `CONFLICT`. A closed enrollment is never reopened; a new request creates a new enrollment. Returns 404 if the subject is unknown, inactive or deleted. Status transitions: PENDING → APPROVED by an administrator, PENDING → REJECTED by an administrator, PENDING → CANCELLED by the learner, APPROVED → WITHDRAWN by the learner, APPROVED → REVOKED by an administrator, APPROVED → EXPIRED by time, at `expiresAt`. When the subject or the user is deleted, APPROVED becomes REVOKED and PENDING becomes CANCELLED, with the reason in `endReason`; restoring the subject or user reverts this.
         *
         *     Requires the role `LEARNER`.
         */
        post: operations["requestEnrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learning/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's notes
         * @description Latest first; includes notes in subjects that the caller has left. `search` matches the content.
         */
        get: operations["listNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learning/notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change one of the caller's notes
         * @description Allowed after the enrollment has ended. Returns 404 for a note of another user.
         */
        put: operations["changeNote"];
        post?: never;
        /**
         * Delete one of the caller's notes
         * @description Permanent. Allowed after the enrollment has ended. Returns 404 for a note of another user.
         */
        delete: operations["removeNote"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learning/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's progress in all subjects
         * @description Every subject that the caller is or was enrolled in, sorted by name. `search` matches the name. For sorting and date filters, `createdAt` is the creation of the first enrollment in the subject and `updatedAt` the last change of an enrollment in it. Changes to the content may appear with a short delay.
         */
        get: operations["listProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learning/subjects/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller's progress in a subject
         * @description Counts live topics only. Returns 403 `ENROLLMENT_REQUIRED` unless the caller is or was enrolled in the subject.
         */
        get: operations["getSubjectProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learning/topics/{id}/completion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark a topic as completed
         * @description Idempotent: `completedAt` is the time of the first call. Returns 403 `ENROLLMENT_REQUIRED` unless the caller has an APPROVED enrollment in the subject, and 404 if the topic is unknown or not live.
         */
        put: operations["completeTopic"];
        post?: never;
        /**
         * Mark a topic as not completed
         * @description Idempotent. Returns 403 `ENROLLMENT_REQUIRED` unless the caller has an APPROVED enrollment in the subject, and 404 if the topic is unknown or not live.
         */
        delete: operations["reopenTopic"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learning/topics/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's notes on a topic
         * @description Returns 403 `ENROLLMENT_REQUIRED` unless the caller is or was enrolled in the subject, and 404 if the topic is unknown or not live, unless the caller has notes on it. `search` matches the content.
         */
        get: operations["listTopicNotes"];
        put?: never;
        /**
         * Write a note on a topic
         * @description Only the author can read the note; administrators cannot. Returns 403 `ENROLLMENT_REQUIRED` unless the caller has an APPROVED enrollment in the subject, and 404 if the topic is unknown or not live.
         */
        post: operations["writeNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learning/topics/{id}/position": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save the playback position in the topic's video
         * @description Returns 422 if `positionSeconds` is greater than `durationSeconds`. `furthestSeconds` never decreases. Returns 403 `ENROLLMENT_REQUIRED` unless the caller has an APPROVED enrollment in the subject, and 404 if the topic is unknown or not live.
         */
        put: operations["keepPosition"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/learning/topics/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller's progress in a topic
         * @description Returns 403 `ENROLLMENT_REQUIRED` unless the caller is or was enrolled in the subject.
         */
        get: operations["getTopicProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mentor/application": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's own applications, newest first
         * @description `search` matches `motivation`, `experience`, `qualifications` and `reviewNote`.
         */
        get: operations["listOwnMentorApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mentor/applications/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw your own application
         * @description PENDING → WITHDRAWN. Returns 409 `INVALID_STATE` with `details.current` in any other state, and 404 for the application of another user.
         */
        post: operations["withdrawMentorApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mentor/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply to become a mentor
         * @description Returns 409 `CONFLICT` if the caller is already a mentor or has a pending application. Rejected and withdrawn applicants can apply again.
         *
         *     Requires the role `LEARNER`.
         */
        post: operations["applyAsMentor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mentor/subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the subjects assigned to the caller
         * @description Includes inactive subjects, but not deleted ones. `search` matches names and descriptions.
         *
         *     Requires the role `MENTOR`.
         */
        get: operations["listMentoredSubjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mentor/subjects/{id}/learners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the learners of a subject with their progress
         * @description For administrators and the mentor of the subject; other mentors receive 403 `FORBIDDEN`. A deleted subject is found by administrators only. Contains APPROVED enrollments unless `status` selects another status. `search` matches names and e-mails. Changes to the content may appear in the progress with a short delay.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        get: operations["listLearners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mentor/subjects/{id}/learners.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the learners of a subject with their progress as CSV
         * @description Oldest first, with the filters of the list. For administrators and the mentor of the subject; other mentors receive 403 `FORBIDDEN`. A deleted subject is found by administrators only. Contains APPROVED enrollments unless `status` selects another status. `search` matches names and e-mails. Changes to the content may appear in the progress with a short delay. The file is CSV (RFC 4180) in UTF-8 with a header row, from one consistent read. It contains all rows that match, without pages. Values that a spreadsheet would take for a formula, because they begin with `=`, `+`, `-`, `@`, a tab or a carriage return, are preceded by an apostrophe. The file has no entity tag. A client has five minutes to read it. While many files are being read, the response is 503 with `Retry-After`.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        get: operations["exportLearners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/{rendition}/{n}.m4s": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a segment of a rendition
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackSegment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/{rendition}/init.mp4": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the start of a rendition
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackInitialization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/{rendition}/playlist.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the playlist of a rendition
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackPlaylist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/captions/{language}.vtt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get captions
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackCaptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/captions/{language}/playlist.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the playlist of captions
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackSubtitles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/master.m3u8": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the list of renditions
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackMaster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/poster.jpg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the poster
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackPoster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/sprite.jpg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the preview images
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackSprite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/playback/{token}/thumbnails.vtt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the preview track
         * @description Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.
         */
        get: operations["getPlaybackThumbnails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/s3/document/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a document
         * @description For admins, the mentor of the subject and learners enrolled in it. A single byte range (206, or 416 with `Content-Range: bytes *\/size`), `If-Range` and conditional requests work as in RFC 9110; a request for several ranges returns the whole file. PDF, images other than SVG, plain text, audio and video are sent inline. Other types, and all types with `download=1`, are sent as attachments.
         *
         *     Requires one of the roles `ADMIN`, `MENTOR` and `LEARNER`.
         */
        get: operations["streamDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/s3/document/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a document to a topic
         * @description multipart/form-data with the parts `file` (binary, any type, not empty), `topicId` and `metadata` (a JSON object with optional `name` and `description`; `name` defaults to the file name), in any order. Unknown text parts are ignored. The stored media type is detected from the bytes; the type that the client declares is ignored. Only admins and the mentor of the topic's subject may upload; this is checked at the beginning and at the end of the upload. The topic lists the document as soon as the response is sent. A topic has at most 1,000 documents, and their entries, with names and descriptions, at most 768 KiB (409 `CONFLICT`). A failed upload leaves nothing behind. A user may hold at most a quarter of the upload slots. An upload beyond that share, or one that arrives while all slots are taken, waits three seconds for a slot. It then gets 429 (`details {scope: upload, limit, resetAt}`, where `limit` is the number of concurrent uploads per user) or, when other users hold the slots, 503. Both carry `Retry-After`. An upload that averages less than 1 KiB per second over 30 seconds gets 408.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/s3/document/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a resumable upload of a document
         * @description Creates an upload by the protocol tus 1.0.0, which survives lost connections: send the bytes with PATCH requests to the URL in `Location`. The body is empty, or holds the first bytes (`application/offset+octet-stream`). Permission, monthly quota, size and extension are checked now, and all again at the end. At the end the file takes the same way as with `POST /api/s3/document/upload`; its response is the result of the upload. The upload counts once, when it has succeeded, against the monthly quota, and its creation against the rate limit of uploads. A user may have 50 unfinished uploads (else 429). An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        post: operations["createDocumentUpload"];
        delete?: never;
        /**
         * Describe resumable uploads of documents
         * @description The version, the extensions and the maximum size of resumable uploads (tus 1.0.0). A CORS preflight gets the usual response instead.
         */
        options: operations["describeDocumentUploads"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/s3/document/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a resumable upload of a document
         * @description Deletes the upload and its bytes; a file that is attached already stays. Returns 423 while the file is being attached. An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        delete: operations["terminateDocumentUpload"];
        options?: never;
        /**
         * Get the offset of a resumable upload of a document
         * @description The offset from which to go on after a lost connection. Bytes that arrived before it broke are included. An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.
         */
        head: operations["headDocumentUpload-head"];
        /**
         * Send bytes of a resumable upload of a document
         * @description Appends the body at `Upload-Offset`, which has to be the offset of the upload (else 409; `details.value` is the right one). A request that arrives while another one sends bytes of the same upload waits three seconds for it, and gets 423 then. The request with the last bytes also checks and attaches the file, and waits some seconds for that; whether it succeeded is the result of the upload. Each request counts as a call. An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes. A user may hold at most a quarter of the upload slots. An upload beyond that share, or one that arrives while all slots are taken, waits three seconds for a slot. It then gets 429 (`details {scope: upload, limit, resetAt}`, where `limit` is the number of concurrent uploads per user) or, when other users hold the slots, 503. Both carry `Retry-After`. An upload that averages less than 1 KiB per second over 30 seconds gets 408.
         *
         *     Requires one of the roles `ADMIN` and `MENTOR`.
         */
        patch: operations["appendToDocumentUpload"];
        trace?: never;
    };
    "/api/s3/document/uploads/{uploadId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the result of a resumable upload of a document
         * @description 202 until the upload is done, then the response of `POST /api/s3/document/upload`: the attached file, or the error that it would have got, such as 400 `UNSUPPORTED_FORMAT` or 403 for a mentor who has lost the subject. An error of the 4xx is final; after a 503 try again. Available for 24 hours. An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.
         */
        get: operations["getDocumentUploadResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schemas/curriculum.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the JSON Schema of curriculum.json
         * @description The format of imports and exports. The response is the schema itself, without an envelope.
         */
        get: operations["getCurriculumSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description `search` matches the first name, last name and e-mail. `role` matches active roles.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Returns a user with all role assignments, also if the user is suspended or deleted.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["getUser"];
        /**
         * Update a user's names, status or plan
         * @description Omitted fields stay unchanged. Allowed status changes: ACTIVE ↔ SUSPENDED, ACTIVE ↔ INACTIVE, SUSPENDED → INACTIVE. Any other change returns 409 `INVALID_STATE`, as does changing your own status or a deleted account. Suspending or deactivating the last active ADMIN returns 409 `LAST_ADMIN`. A change to ACTIVE clears `statusReason` unless the body has a new one.
         *
         *     Requires the role `ADMIN`.
         */
        put: operations["updateUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/anonymize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Permanently remove the personal data of a user
         * @description Removes the names, the e-mail and the link to the provider, in this service and the others. All roles end, and the status becomes INACTIVE. The history of the user stays under the id. Tokens of the former identity are rejected with `ACCOUNT_INACTIVE`. Returns 409 `INVALID_STATE` for your own account and 409 `LAST_ADMIN` for the last active admin. The operation is idempotent.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["anonymizeUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's current and former roles, newest first
         * @description `search` matches the role and the id of the assigning admin. `createdFrom` and `createdTo` compare with `effectiveStartDate`; `updatedFrom` and `updatedTo` compare with the later of `effectiveStartDate` and `effectiveEndDate`.
         *
         *     Requires the role `ADMIN`.
         */
        get: operations["listUserRoles"];
        put?: never;
        /**
         * Assign a role to a user
         * @description An active assignment of the same role is ended and replaced in one transaction. Returns 409 `INVALID_STATE` if the account has been deleted.
         *
         *     Requires the role `ADMIN`.
         */
        post: operations["assignRole"];
        /**
         * Remove a role from a user
         * @description Send the role in the body or in the query string. The assignment ends and stays in the history. Returns 404 if the user does not hold the role, and 409 `LAST_ADMIN` if the user is the last active admin.
         *
         *     Requires the role `ADMIN`.
         */
        delete: operations["endRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of the identity provider
         * @description Handles `user.created`, `user.updated` and `user.deleted`; the status of other types is `ignored`. Sign the body with `X-Webhook-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`, with the headers of Standard Webhooks or with those of Svix. The signature is verified with the scheme whose headers are present; no other scheme is tried. `sha256=<hex>`, bare hex and base64 of HMAC-SHA256(secret, body) are accepted only if `WEBHOOK_ACCEPT_UNTIMESTAMPED` is set, as `npm start` does. An entry of `email_addresses` is `{id, email_address, verification}`, `{email}` or a string. Deliveries may arrive repeatedly and in any order: `data.updated_at` orders them, and a `user.updated` without it is applied on arrival. `duplicate`: the message has been processed before, with the same id in the headers of either standard, or else with the same body; `stale`: a later state has been applied, or the account has been deleted; `conflict`: the e-mail belongs to another verified user.
         */
        post: operations["receiveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AccountInactiveError
         * @description The account is deactivated, deleted or anonymized.
         */
        AccountInactiveError: {
            /** @enum {string} */
            code: "ACCOUNT_INACTIVE";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * AccountSuspendedError
         * @description An administrator has suspended the account.
         */
        AccountSuspendedError: {
            /** @enum {string} */
            code: "ACCOUNT_SUSPENDED";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** AdminEnrollment */
        AdminEnrollment: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            decidedAt: string | null;
            decidedBy: string | null;
            decisionReason: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            endedAt: string | null;
            /** @description Null if the enrollment expired or ended by a deletion */
            endedBy: string | null;
            /** @description `SUBJECT_DELETED`, `USER_DELETED`, or the reason given by the administrator */
            endReason: string | null;
            /**
             * Format: date-time
             * @description When an approved enrollment expires; null if it does not expire
             * @example 2026-01-31T12:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            /** @description The learner's message to the administrators */
            message: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            requestedAt: string;
            /** @enum {string} */
            source: "REQUEST" | "ADMIN";
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "WITHDRAWN" | "REVOKED" | "EXPIRED";
            subject: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                gradeId: string;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                name: string;
            };
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            subjectId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
            user: {
                email: string;
                firstName: string | null;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                lastName: string | null;
            };
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            userId: string;
        };
        /** AuditEntry */
        AuditEntry: {
            /**
             * @example user.updated
             * @example level.deleted
             */
            action: string;
            /** @description The id of the user who made the change */
            actorId: string;
            changes: {
                [key: string]: {
                    from: unknown;
                    to: unknown;
                };
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * @example user
             * @example level
             */
            entity: string;
            entityId: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            requestId: string | null;
        };
        /**
         * ChecksumMismatchError
         * @description The bytes of a request do not match its `Upload-Checksum`; none of them are stored.
         */
        ChecksumMismatchError: {
            /** @enum {string} */
            code: "CHECKSUM_MISMATCH";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * ConflictError
         * @description The value of `details.field` is in use, or such a resource exists: a name, an open enrollment. Or a topic has as many documents as it can have, or a video as many captions. With the field `Idempotency-Key`, the first request with this key is still running; with `Upload-Offset`, `details.value` is the right offset.
         */
        ConflictError: {
            /** @enum {string} */
            code: "CONFLICT";
            details: {
                field: string;
                resource: string;
                value: unknown;
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * Curriculum
         * @description Education levels, grades, subjects and topics, with the videos and documents of an archive. Items are matched by `externalId`, else by their name below their parent. A field that is left out keeps its value; where an item is created, `description` (except for grades), `level` of grades and `content` of topics are required.
         */
        Curriculum: {
            $schema?: string;
            levels: {
                description?: string;
                /**
                 * @description An id of your choice, unique in its kind, by which later imports find the item
                 * @example math-7
                 */
                externalId?: string | null;
                grades?: {
                    description?: string;
                    /**
                     * @description An id of your choice, unique in its kind, by which later imports find the item
                     * @example math-7
                     */
                    externalId?: string | null;
                    /** Format: web-url */
                    imageUrl?: string | null;
                    isActive?: boolean;
                    /** @enum {string} */
                    level?: "primary" | "secondary" | "higher";
                    /** @description Unique below its parent */
                    name: string;
                    /** @description True if the children that follow are not all: a mirror then deletes none of the others */
                    partial?: boolean;
                    /** @description The position among the siblings; a new item without one comes last */
                    position?: number;
                    subjects?: {
                        description?: string;
                        /**
                         * @description An id of your choice, unique in its kind, by which later imports find the item
                         * @example math-7
                         */
                        externalId?: string | null;
                        /** Format: web-url */
                        imageUrl?: string | null;
                        isActive?: boolean;
                        mentorEmail?: string | null;
                        /** @description Unique below its parent */
                        name: string;
                        /** @description True if the children that follow are not all: a mirror then deletes none of the others */
                        partial?: boolean;
                        /** @description The position among the siblings; a new item without one comes last */
                        position?: number;
                        topics?: {
                            content?: string;
                            description?: string;
                            documents?: {
                                description?: string;
                                /**
                                 * @description The document: the path of an entry of the archive
                                 * @example media/whole-numbers.pdf
                                 */
                                file: string;
                                /** @description The name of the file by default */
                                name?: string;
                            }[];
                            /**
                             * @description An id of your choice, unique in its kind, by which later imports find the item
                             * @example math-7
                             */
                            externalId?: string | null;
                            isActive?: boolean;
                            /** @description Unique below its parent */
                            name: string;
                            /** @description The position among the siblings; a new item without one comes last */
                            position?: number;
                            video?: {
                                captions?: {
                                    default?: boolean;
                                    /**
                                     * @description WebVTT or SRT: the path of an entry of the archive
                                     * @example media/whole-numbers.pdf
                                     */
                                    file: string;
                                    /** @enum {string} */
                                    kind?: "captions" | "subtitles" | "descriptions" | "chapters";
                                    label?: string;
                                    /**
                                     * @description BCP 47
                                     * @example en
                                     */
                                    language: string;
                                }[];
                                /**
                                 * @description The video: the path of an entry of the archive
                                 * @example media/whole-numbers.pdf
                                 */
                                file: string;
                            } | null;
                        }[];
                    }[];
                }[];
                /** Format: web-url */
                imageUrl?: string | null;
                isActive?: boolean;
                /** @description Unique below its parent */
                name: string;
                /** @description True if the children that follow are not all: a mirror then deletes none of the others */
                partial?: boolean;
                /** @description The position among the siblings; a new item without one comes last */
                position?: number;
            }[];
            /** @enum {number} */
            version: 1;
        };
        /** Deletion */
        Deletion: {
            /** @description The number of descendants deleted with the item */
            deleted: {
                grades: number;
                subjects: number;
                topics: number;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
        };
        /** EducationLevel */
        EducationLevel: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            description: string;
            /** @description An id that a client has chosen, by which imports find the item */
            externalId: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            imageUrl: string | null;
            isActive: boolean;
            name: string;
            /** @description The position among the siblings */
            position: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
        };
        /** EducationLevelWithGrades */
        EducationLevelWithGrades: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            description: string;
            /** @description An id that a client has chosen, by which imports find the item */
            externalId: string | null;
            /** @description Present if requested with `include`: the first items by `position` */
            grades?: components["schemas"]["Grade"][];
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            imageUrl: string | null;
            isActive: boolean;
            name: string;
            /** @description The position among the siblings */
            position: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
        };
        /** Enrollment */
        Enrollment: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            decidedAt: string | null;
            decidedBy: string | null;
            decisionReason: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            endedAt: string | null;
            /** @description Null if the enrollment expired or ended by a deletion */
            endedBy: string | null;
            /** @description `SUBJECT_DELETED`, `USER_DELETED`, or the reason given by the administrator */
            endReason: string | null;
            /**
             * Format: date-time
             * @description When an approved enrollment expires; null if it does not expire
             * @example 2026-01-31T12:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            /** @description The learner's message to the administrators */
            message: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            requestedAt: string;
            /** @enum {string} */
            source: "REQUEST" | "ADMIN";
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "WITHDRAWN" | "REVOKED" | "EXPIRED";
            subject: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                gradeId: string;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                name: string;
            };
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            subjectId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            userId: string;
        };
        /**
         * EnrollmentRequiredError
         * @description The learner has no approved enrollment in the subject, or it has ended.
         */
        EnrollmentRequiredError: {
            /** @enum {string} */
            code: "ENROLLMENT_REQUIRED";
            details: {
                subjectId: string;
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** Export */
        Export: {
            /**
             * Format: date-time
             * @description When the file is removed: 24 hours after its completion
             * @example 2026-01-31T12:00:00.000Z
             */
            availableUntil: string | null;
            /** @description `sha256:` and the hash; null until completed */
            checksum: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            createdBy: string;
            /** @description Works without signing in until `expiresAt`; each request of the export returns a new one */
            downloadUrl: string | null;
            /** @description Why it failed */
            error: string | null;
            /**
             * Format: date-time
             * @description When `downloadUrl` ends to work
             * @example 2026-01-31T12:00:00.000Z
             */
            expiresAt: string | null;
            /** @example curriculum-2026-01-31.zip */
            fileName: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            finishedAt: string | null;
            /**
             * @description `json`: curriculum.json. `zip`: the same with videos, captions and documents. `csv`: the outline. `imscc`: an IMS Common Cartridge 1.3
             * @example zip
             * @enum {string}
             */
            format: "json" | "zip" | "csv" | "imscc";
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            includeMedia: boolean;
            /** @example 100 */
            percent: number;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            rootId: string | null;
            /**
             * @example subject
             * @enum {string|null}
             */
            rootType: "level" | "grade" | "subject" | "topic" | null;
            /** @description Bytes; null until completed */
            size: number | null;
            /**
             * @example completed
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "failed" | "expired";
        };
        /**
         * ForbiddenError
         * @description The user has none of the roles in `details.required`, or does not teach this subject.
         */
        ForbiddenError: {
            /** @enum {string} */
            code: "FORBIDDEN";
            details: {
                required: ("LEARNER" | "MENTOR" | "ADMIN")[];
                user_roles: ("LEARNER" | "MENTOR" | "ADMIN")[];
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** Grade */
        Grade: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            description: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            educationLevelId: string;
            /** @description An id that a client has chosen, by which imports find the item */
            externalId: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            imageUrl: string | null;
            isActive: boolean;
            /** @enum {string} */
            level: "primary" | "secondary" | "higher";
            name: string;
            /** @description The position among the siblings */
            position: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
        };
        /** GradeWithSubjects */
        GradeWithSubjects: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            description: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            educationLevelId: string;
            /** @description An id that a client has chosen, by which imports find the item */
            externalId: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            imageUrl: string | null;
            isActive: boolean;
            /** @enum {string} */
            level: "primary" | "secondary" | "higher";
            name: string;
            /** @description The position among the siblings */
            position: number;
            /** @description Present if requested with `include`: the first items by `position` */
            subjects?: components["schemas"]["Subject"][];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
        };
        /** Import */
        Import: {
            counts: {
                /** @description Items that did not exist */
                created: number;
                /** @description Items that a mirror deleted, with those below them */
                deleted: number;
                /** @description Videos, captions and documents that were stored; in a dry run, those that the file names */
                media: number;
                /** @description Items that are as the file says */
                unchanged: number;
                /** @description Items of which a field or the parent has changed */
                updated: number;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            createdBy: string;
            dryRun: boolean;
            /** @example course.zip */
            fileName: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            finishedAt: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            /** @description All issues */
            issueCount: number;
            /** @description The first 1000 */
            issues: components["schemas"]["ImportIssue"][];
            /** @enum {string} */
            mode: "create" | "upsert" | "mirror";
            /** @example 100 */
            percent: number;
            /**
             * @description `importing` from the moment the outline is written: the files follow
             * @enum {string}
             */
            status: "queued" | "checking" | "importing" | "completed" | "failed" | "cancelled";
        };
        /** ImportIssue */
        ImportIssue: {
            /** @example DUPLICATE_NAME */
            code: string;
            /** @description The line of a CSV file, or of the manifest of a cartridge */
            line?: number;
            /** @example The name occurs twice below the same parent */
            message: string;
            /**
             * @description A JSON pointer into the file
             * @example /levels/0/grades/1/name
             */
            pointer?: string;
            /**
             * @description An error prevents the import
             * @enum {string}
             */
            severity: "error" | "warning";
        };
        /**
         * InternalError
         * @description An error in the service. The log has it under `requestId`.
         */
        InternalError: {
            /** @enum {string} */
            code: "INTERNAL_ERROR";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * InvalidSignatureError
         * @description The signature of a webhook is missing, older than five minutes, or made with another secret.
         */
        InvalidSignatureError: {
            /** @enum {string} */
            code: "INVALID_SIGNATURE";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * InvalidStateError
         * @description The resource is in the state `details.current`, which does not allow this; another user may have changed it.
         */
        InvalidStateError: {
            /** @enum {string} */
            code: "INVALID_STATE";
            details: {
                allowed?: string[];
                current?: string;
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * LastAdminError
         * @description The system would be left without an active administrator.
         */
        LastAdminError: {
            /** @enum {string} */
            code: "LAST_ADMIN";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** LearnedSubject */
        LearnedSubject: {
            /** @description Live topics completed */
            completed: number;
            /** @description The first live topic that is not completed; null if there is none */
            nextTopicId: string | null;
            /** @description Rounded down; 0 if there are no topics */
            percent: number;
            subject: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                gradeId: string;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                name: string;
            };
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            subjectId: string;
            topics: {
                completed: boolean;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                completedAt: string | null;
                durationSeconds: number | null;
                /** @description The furthest reported position; it never decreases */
                furthestSeconds: number;
                /** @description 0 until a position is reported */
                positionSeconds: number;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                topicId: string;
            }[];
            /** @description Live topics */
            total: number;
        };
        /** Learner */
        Learner: {
            enrollment: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                decidedAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                endedAt: string | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                expiresAt: string | null;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                requestedAt: string;
                /** @enum {string} */
                status: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "WITHDRAWN" | "REVOKED" | "EXPIRED";
            };
            progress: {
                completed: number;
                /** @description Rounded down; 0 if there are no topics */
                percent: number;
                /** @description The number of the subject's live topics */
                total: number;
            };
            user: {
                email: string;
                firstName: string | null;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                lastName: string | null;
            };
        };
        /**
         * LockedError
         * @description Another request is sending bytes of this resumable upload, or it is being finished.
         */
        LockedError: {
            /** @enum {string} */
            code: "LOCKED";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** MentorApplication */
        MentorApplication: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            experience: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            motivation: string | null;
            qualifications: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            reviewedAt: string | null;
            /** @description The id of the admin who decided */
            reviewedBy: string | null;
            /** @description The note of an approval or the reason of a rejection */
            reviewNote: string | null;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            /** @description Subjects that the applicant would like to teach. They are neither validated nor assigned */
            subjectIds: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            userId: string;
        };
        /** MentorSubmission */
        MentorSubmission: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            experience: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            motivation: string | null;
            qualifications: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            reviewedAt: string | null;
            /** @description The id of the admin who decided */
            reviewedBy: string | null;
            /** @description The note of an approval or the reason of a rejection */
            reviewNote: string | null;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
            /** @description Subjects that the applicant would like to teach. They are neither validated nor assigned */
            subjectIds: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
            user: {
                email: string;
                firstName: string | null;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                lastName: string | null;
            };
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            userId: string;
        };
        /** Note */
        Note: {
            content: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            /** @description The position in the video that the note refers to */
            positionSeconds: number | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            subjectId: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            topicId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            userId: string;
        };
        /**
         * NotFoundError
         * @description The resource does not exist, is deleted, or belongs to another user. The message names its kind.
         */
        NotFoundError: {
            /** @enum {string} */
            code: "NOT_FOUND";
            details?: {
                /** @enum {string} */
                role?: "LEARNER" | "MENTOR" | "ADMIN";
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** Pagination */
        Pagination: {
            hasNext: boolean;
            hasPrev: boolean;
            limit: number;
            page: number;
            pages: number;
            total: number;
        };
        /**
         * PayloadTooLargeError
         * @description The body or the file is too large: 256 KiB for JSON, 6 MiB for topics, 16 MiB for a curriculum, and the limits for files.
         */
        PayloadTooLargeError: {
            /** @enum {string} */
            code: "PAYLOAD_TOO_LARGE";
            details?: {
                maxBytes: number;
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * PreconditionFailedError
         * @description The resource has changed since it was read: its ETag is not in `If-Match`, or it is newer than `If-Unmodified-Since`. Or a request of a resumable upload has no `Tus-Resumable: 1.0.0`.
         */
        PreconditionFailedError: {
            /** @enum {string} */
            code: "PRECONDITION_FAILED";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * QuotaExceededError
         * @description The calls or uploads of the plan are used up for this month.
         */
        QuotaExceededError: {
            /** @enum {string} */
            code: "QUOTA_EXCEEDED";
            details: {
                limit: number | null;
                /** @enum {string} */
                metric: "apiCalls" | "uploads";
                /** @enum {string} */
                plan: "FREE" | "PRO" | "ENTERPRISE";
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                resetsAt: string;
                used: number;
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * RangeNotSatisfiableError
         * @description The range begins behind the end of the file. `Content-Range` has the size.
         */
        RangeNotSatisfiableError: {
            /** @enum {string} */
            code: "RANGE_NOT_SATISFIABLE";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * RateLimitedError
         * @description Too many requests of the kind `details.scope` in a minute, too many uploads or downloads at the same time, or too many unfinished resumable uploads.
         */
        RateLimitedError: {
            /** @enum {string} */
            code: "RATE_LIMITED";
            details: {
                /** @description Requests a minute; or concurrent uploads, concurrent downloads or unfinished uploads */
                limit: number;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                resetAt: string;
                /** @enum {string} */
                scope: "general" | "auth" | "upload" | "webhook" | "playback";
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * RequestTimeoutError
         * @description The body did not arrive in time: 30 seconds for JSON; uploads must average 1 KiB per second.
         */
        RequestTimeoutError: {
            /** @enum {string} */
            code: "REQUEST_TIMEOUT";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** RosterLineResult */
        RosterLineResult: {
            code?: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            enrollmentId?: string;
            error?: string;
            /** @description The number of the line in the file; that of its last line, if values contain line breaks */
            line: number;
            ok: boolean;
            /**
             * @description `created`: a new enrollment; `approved`: a pending request was approved; `unchanged`: the user was already enrolled
             * @enum {string}
             */
            status?: "created" | "approved" | "unchanged";
        };
        /** SearchHit */
        SearchHit: {
            description: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            name: string;
            /** @description The ancestors of the item, from the level down */
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                name: string;
                /** @enum {string} */
                type: "level" | "grade" | "subject" | "topic";
            }[];
            /** @enum {string} */
            type: "level" | "grade" | "subject" | "topic";
        };
        /**
         * ServiceUnavailableError
         * @description A part of the system is down or overloaded. For an export, `details.missing` names the parts.
         */
        ServiceUnavailableError: {
            /** @enum {string} */
            code: "SERVICE_UNAVAILABLE";
            details?: {
                missing?: string[];
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** Subject */
        Subject: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            description: string;
            /** @description An id that a client has chosen, by which imports find the item */
            externalId: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            gradeId: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            imageUrl: string | null;
            isActive: boolean;
            /** @description Visible to administrators and the mentor; null for other callers */
            mentorEmail: string | null;
            /** @description The mentor's identity-provider user id */
            mentorId: string | null;
            name: string;
            /** @description The position among the siblings */
            position: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
        };
        /** SubjectProgress */
        SubjectProgress: {
            /** @description Live topics completed */
            completed: number;
            /** @description The first live topic that is not completed; null if there is none */
            nextTopicId: string | null;
            /** @description Rounded down; 0 if there are no topics */
            percent: number;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            subjectId: string;
            topics: {
                completed: boolean;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                completedAt: string | null;
                durationSeconds: number | null;
                /** @description The furthest reported position; it never decreases */
                furthestSeconds: number;
                /** @description 0 until a position is reported */
                positionSeconds: number;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                topicId: string;
            }[];
            /** @description Live topics */
            total: number;
        };
        /** SubjectWithTopics */
        SubjectWithTopics: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            description: string;
            /** @description An id that a client has chosen, by which imports find the item */
            externalId: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            gradeId: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            imageUrl: string | null;
            isActive: boolean;
            /** @description Visible to administrators and the mentor; null for other callers */
            mentorEmail: string | null;
            /** @description The mentor's identity-provider user id */
            mentorId: string | null;
            name: string;
            /** @description The position among the siblings */
            position: number;
            /** @description Present if requested with `include`: the first items by `position` */
            topics?: components["schemas"]["TopicOutline"][];
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
        };
        /** Topic */
        Topic: {
            access: {
                granted: boolean;
                /** @enum {string|null} */
                reason: "AUTHENTICATION_REQUIRED" | "ENROLLMENT_REQUIRED" | null;
            };
            /** @description Null without access, and where a list omits it */
            content: string | null;
            /** @description True in a list whose texts together exceed 1 MiB, for this topic and all that follow on the page: read them one by one */
            contentOmitted?: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            description: string;
            documentCount: number;
            /** @description Empty without access */
            documents: {
                checksum: string;
                description: string;
                fileName: string;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                key: string;
                mimeType: string;
                name: string;
                size: number;
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                uploadedAt: string;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                uploadedBy: string;
                url: string;
            }[];
            /** @description An id that a client has chosen, by which imports find the item */
            externalId: string | null;
            hasVideo: boolean;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            isActive: boolean;
            name: string;
            /** @description The position among the siblings */
            position: number;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            subjectId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
            video: {
                captions: {
                    /** @description True for at most one track of a video */
                    default: boolean;
                    /** @enum {string} */
                    kind: "captions" | "subtitles" | "descriptions" | "chapters";
                    label: string;
                    /** @description A BCP 47 language tag */
                    language: string;
                }[];
                checksum: string;
                durationSeconds: number | null;
                fileName: string;
                hasAudio: boolean | null;
                height: number | null;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                mimeType: string;
                renditions: {
                    /** @description Bits per second, at most */
                    bandwidth: number;
                    height: number;
                }[];
                size: number;
                /**
                 * @description The state of the processing; `none` where videos are not processed
                 * @enum {string}
                 */
                status: "none" | "queued" | "processing" | "ready" | "failed";
                /**
                 * Format: date-time
                 * @example 2026-01-31T12:00:00.000Z
                 */
                uploadedAt: string;
                width: number | null;
            } | null;
            /** @description Null without access, or if the topic has no video */
            videoUrl: string | null;
        };
        /** TopicOutline */
        TopicOutline: {
            access: {
                granted: boolean;
                /** @enum {string|null} */
                reason: "AUTHENTICATION_REQUIRED" | "ENROLLMENT_REQUIRED" | null;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            deletedAt: string | null;
            description: string;
            documentCount: number;
            /** @description An id that a client has chosen, by which imports find the item */
            externalId: string | null;
            hasVideo: boolean;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            isActive: boolean;
            name: string;
            /** @description The position among the siblings */
            position: number;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            subjectId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
        };
        /** TopicProgress */
        TopicProgress: {
            completed: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            completedAt: string | null;
            durationSeconds: number | null;
            /** @description The furthest reported position; it never decreases */
            furthestSeconds: number;
            /** @description 0 until a position is reported */
            positionSeconds: number;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            subjectId: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            topicId: string;
        };
        /** TreeLevel */
        TreeLevel: {
            gradeCount: number;
            grades: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /** @enum {string} */
                level: "primary" | "secondary" | "higher";
                name: string;
                subjectCount: number;
                subjects: {
                    /**
                     * @description Opaque identifier
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    id: string;
                    name: string;
                    topicCount: number;
                }[];
            }[];
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            name: string;
        };
        /**
         * UnauthorizedError
         * @description The request has no access token, or one that is expired, malformed or meant for another API.
         */
        UnauthorizedError: {
            /** @enum {string} */
            code: "UNAUTHORIZED";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * UnsupportedFormatError
         * @description The extension of a video or an import is not in `details.accepted`, or the content of a video does not match it.
         */
        UnsupportedFormatError: {
            /** @enum {string} */
            code: "UNSUPPORTED_FORMAT";
            details: {
                accepted: string[];
                extension: string;
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * UnsupportedMediaTypeError
         * @description The `Content-Type` is not the one that the operation takes, or the body is compressed.
         */
        UnsupportedMediaTypeError: {
            /** @enum {string} */
            code: "UNSUPPORTED_MEDIA_TYPE";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * UpstreamTimeoutError
         * @description A service did not respond in ten seconds. The request may have had its effect.
         */
        UpstreamTimeoutError: {
            /** @enum {string} */
            code: "UPSTREAM_TIMEOUT";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /**
         * UriTooLongError
         * @description The URL is longer than 8 KiB.
         */
        UriTooLongError: {
            /** @enum {string} */
            code: "URI_TOO_LONG";
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
        /** User */
        User: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            createdAt: string;
            email: string;
            emailVerified: boolean;
            firstName: string | null;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            /** @description Null once the user is anonymized */
            identityProviderId: string | null;
            lastName: string | null;
            /** @enum {string} */
            plan: "FREE" | "PRO" | "ENTERPRISE";
            /** @description The active roles */
            roles: ("LEARNER" | "MENTOR" | "ADMIN")[];
            /** @enum {string} */
            status: "ACTIVE" | "INACTIVE" | "SUSPENDED";
            statusReason: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            updatedAt: string;
            /** @description All role assignments, active and ended, newest first */
            userRoles: components["schemas"]["UserRole"][];
        };
        /** UserRole */
        UserRole: {
            /** @description The admin who assigned the role; null if the service assigned it */
            assignedBy: string | null;
            /**
             * Format: date-time
             * @description When the assignment ended or was replaced
             * @example 2026-01-31T12:00:00.000Z
             */
            effectiveEndDate: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            effectiveStartDate: string;
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            id: string;
            isActive: boolean;
            /** @enum {string} */
            role: "LEARNER" | "MENTOR" | "ADMIN";
            /**
             * @description Opaque identifier
             * @example tz4a98xxat96iws9zmbrgj3a
             */
            userId: string;
        };
        /**
         * ValidationError
         * @description At 422 a field violates a rule; at 400 the path, the body or a header is malformed.
         */
        ValidationError: {
            /** @enum {string} */
            code: "VALIDATION_ERROR";
            details: {
                /** @description The path of the field, as in `metadata.name`; `body` is the whole body */
                field: string;
                /** @description All problems, at status 422 */
                issues?: {
                    /** @description The path of the field, as in `metadata.name`; `body` is the whole body */
                    field: string;
                    /** @description The rule that the value violates */
                    message: string;
                    /** @description The value that was sent, cut off at 200 characters; null if there was none */
                    value: unknown;
                }[];
                /** @description The rule that the value violates */
                message: string;
                /** @description The value that was sent, cut off at 200 characters; null if there was none */
                value: unknown;
            };
            /** @description A message for humans */
            error: string;
            /** @description The X-Request-Id of this response */
            requestId: string;
            /** @enum {boolean} */
            success: false;
        };
    };
    responses: {
        /** @description Bad Request: `VALIDATION_ERROR` or `UNSUPPORTED_FORMAT` */
        BadRequest: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"] | components["schemas"]["UnsupportedFormatError"];
            };
        };
        /** @description Checksum Mismatch: `CHECKSUM_MISMATCH` */
        ChecksumMismatch: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChecksumMismatchError"];
            };
        };
        /** @description Conflict: `CONFLICT` or `INVALID_STATE` or `LAST_ADMIN` */
        Conflict: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"] | components["schemas"]["InvalidStateError"] | components["schemas"]["LastAdminError"];
            };
        };
        /** @description Forbidden: `FORBIDDEN` or `ENROLLMENT_REQUIRED` or `ACCOUNT_SUSPENDED` or `ACCOUNT_INACTIVE` */
        Forbidden: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"] | components["schemas"]["EnrollmentRequiredError"] | components["schemas"]["AccountSuspendedError"] | components["schemas"]["AccountInactiveError"];
            };
        };
        /** @description Gateway Timeout: `UPSTREAM_TIMEOUT` */
        GatewayTimeout: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UpstreamTimeoutError"];
            };
        };
        /** @description Internal Server Error: `INTERNAL_ERROR` */
        InternalServerError: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description Locked: `LOCKED` */
        Locked: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LockedError"];
            };
        };
        /** @description Not Found: `NOT_FOUND` */
        NotFound: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description Payload Too Large: `PAYLOAD_TOO_LARGE` */
        PayloadTooLarge: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description Precondition Failed: `PRECONDITION_FAILED` */
        PreconditionFailed: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PreconditionFailedError"];
            };
        };
        /** @description Range Not Satisfiable: `RANGE_NOT_SATISFIABLE` */
        RangeNotSatisfiable: {
            headers: {
                "Content-Range": components["headers"]["Content-Range"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RangeNotSatisfiableError"];
            };
        };
        /** @description Request Timeout: `REQUEST_TIMEOUT` */
        RequestTimeout: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestTimeoutError"];
            };
        };
        /** @description Service Unavailable: `SERVICE_UNAVAILABLE` */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description Too Many Requests: `RATE_LIMITED` or `QUOTA_EXCEEDED` */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"] | components["schemas"]["QuotaExceededError"];
            };
        };
        /** @description Unauthorized: `UNAUTHORIZED` or `INVALID_SIGNATURE` */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"] | components["schemas"]["InvalidSignatureError"];
            };
        };
        /** @description Unprocessable Entity: `VALIDATION_ERROR` */
        UnprocessableEntity: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description Unsupported Media Type: `UNSUPPORTED_MEDIA_TYPE` */
        UnsupportedMediaType: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /** @description URI Too Long: `URI_TOO_LONG` */
        URITooLong: {
            headers: {
                "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UriTooLongError"];
            };
        };
    };
    parameters: {
        /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
        IdempotencyKey: string;
        /** @description Entity tags; 412 if none of them is current */
        IfMatch: string;
        /** @description Entity tags of cached responses; 304 if one of them is current */
        IfNoneMatch: string;
        /** @description Entity tag or date of the bytes already downloaded; if it differs, the whole is returned */
        IfRange: string;
        /** @description One range of bytes, as in `bytes=0-1023`; several ranges return the whole */
        Range: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description `bytes`
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description `inline` or `attachment`, and the file name
         * @example inline; filename="whole-numbers.pdf"
         */
        "Content-Disposition": string;
        /**
         * @description The range of the bytes, or `bytes *\/size`
         * @example bytes 0-1023/1048576
         */
        "Content-Range": string;
        /**
         * @description Strong entity tag of the response
         * @example "5d8c72a5edda8d6a"
         */
        ETag: string;
        /**
         * @description `true` if this is the response to an earlier request with the same key
         * @example true
         */
        "Idempotency-Replayed": string;
        /**
         * @description Time of the upload
         * @example Mon, 12 Jan 2026 12:00:00 GMT
         */
        "Last-Modified": string;
        /**
         * @description RFC 8288: the pages `first`, `prev`, `next` and `last`
         * @example </api/education/levels?page=1>; rel="first", </api/education/levels?page=1>; rel="last"
         */
        Link: string;
        /**
         * @description Seconds to wait before the next attempt
         * @example 2
         */
        "Retry-After": number;
        /**
         * @description `Bearer`
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description Monthly quota of the caller's plan; absent if there is none
         * @example 1000
         */
        "X-Quota-Limit": number;
        /**
         * @description What is left of it
         * @example 786
         */
        "X-Quota-Remaining": number;
        /**
         * @description When the next month begins, in Unix seconds
         * @example 1769904000
         */
        "X-Quota-Reset": number;
        /**
         * @description Requests per minute of the tightest limit that applied
         * @example 100
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in this window
         * @example 99
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description End of the window, in Unix seconds
         * @example 1769860860
         */
        "X-RateLimit-Reset": number;
        /**
         * @description The id of this request; the body of an error repeats it
         * @example 7f1d8a52-3c0b-4a9e-9d55-0c2b1e6f4a10
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAudit: {
        parameters: {
            query?: {
                action?: string;
                actorId?: string;
                createdFrom?: string;
                createdTo?: string;
                entity?: string;
                entityId?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "au7b41zdpn85xhs2kfrcwm6q",
                     *           "actorId": "ad9j15wkrh83cme6sxtzgb4u",
                     *           "action": "user.updated",
                     *           "entity": "user",
                     *           "entityId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "changes": {
                     *             "plan": {
                     *               "from": "FREE",
                     *               "to": "PRO"
                     *             }
                     *           },
                     *           "requestId": "7f1d8a52-3c0b-4a9e-9d55-0c2b1e6f4a10",
                     *           "createdAt": "2026-01-10T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listExports: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt";
                status?: "queued" | "running" | "completed" | "failed" | "expired";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "ex6t93ksbm27gxc1wrvqzf0d",
                     *           "status": "completed",
                     *           "percent": 100,
                     *           "format": "zip",
                     *           "rootType": "subject",
                     *           "rootId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "includeMedia": true,
                     *           "fileName": "curriculum-2026-01-31.zip",
                     *           "size": 1048576,
                     *           "checksum": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                     *           "error": null,
                     *           "downloadUrl": "http://127.0.0.1:8080/api/education/exports/ex6t93ksbm27gxc1wrvqzf0d/download?token=1769860800000.signature",
                     *           "expiresAt": "2026-01-13T12:00:00.000Z",
                     *           "availableUntil": "2026-01-20T12:00:00.000Z",
                     *           "createdBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "finishedAt": "2026-01-12T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Export"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "zip",
                 *       "rootType": "subject",
                 *       "rootId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                 *       "includeMedia": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `json`: curriculum.json. `zip`: the same with videos, captions and documents. `csv`: the outline. `imscc`: an IMS Common Cartridge 1.3
                     * @example zip
                     * @enum {string}
                     */
                    format: "json" | "zip" | "csv" | "imscc";
                    /** @default false */
                    includeMedia?: boolean;
                    /** @example tz4a98xxat96iws9zmbrgj3a */
                    rootId?: string | null;
                    /**
                     * @example subject
                     * @enum {string|null}
                     */
                    rootType?: "level" | "grade" | "subject" | "topic" | null;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ex6t93ksbm27gxc1wrvqzf0d",
                     *         "status": "queued",
                     *         "percent": 0,
                     *         "format": "zip",
                     *         "rootType": "subject",
                     *         "rootId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "includeMedia": true,
                     *         "fileName": "curriculum-2026-01-31.zip",
                     *         "size": null,
                     *         "checksum": null,
                     *         "error": null,
                     *         "downloadUrl": null,
                     *         "expiresAt": null,
                     *         "availableUntil": null,
                     *         "createdBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "finishedAt": null
                     *       },
                     *       "message": "Export created"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Export"];
                        /**
                         * @description A message for humans
                         * @example Export created
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example ex6t93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ex6t93ksbm27gxc1wrvqzf0d",
                     *         "status": "completed",
                     *         "percent": 100,
                     *         "format": "zip",
                     *         "rootType": "subject",
                     *         "rootId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "includeMedia": true,
                     *         "fileName": "curriculum-2026-01-31.zip",
                     *         "size": 1048576,
                     *         "checksum": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                     *         "error": null,
                     *         "downloadUrl": "http://127.0.0.1:8080/api/education/exports/ex6t93ksbm27gxc1wrvqzf0d/download?token=1769860800000.signature",
                     *         "expiresAt": "2026-01-13T12:00:00.000Z",
                     *         "availableUntil": "2026-01-20T12:00:00.000Z",
                     *         "createdBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "finishedAt": "2026-01-12T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Export"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listManagedGrades: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                educationLevelId?: string;
                /** @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it. */
                externalId?: string;
                /** @description Includes deleted items that are not purged yet */
                includeDeleted?: boolean;
                isActive?: boolean;
                level?: "primary" | "secondary" | "higher";
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *           "externalId": null,
                     *           "name": "Grade 5",
                     *           "description": "Ten to eleven years old",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "imageUrl": null,
                     *           "level": "primary",
                     *           "educationLevelId": "lv4a98xxat96iws9zmbrgj3a"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Grade"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createGrade: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Grade 5",
                 *       "description": "Ten to eleven years old",
                 *       "level": "primary",
                 *       "educationLevelId": "lv4a98xxat96iws9zmbrgj3a"
                 *     }
                 */
                "application/json": {
                    description?: string;
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    educationLevelId: string;
                    /**
                     * @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.
                     * @example math-7
                     */
                    externalId?: string | null;
                    /**
                     * Format: web-url
                     * @example https://pictures.example/school.png
                     */
                    imageUrl?: string | null;
                    isActive?: boolean;
                    /** @enum {string} */
                    level: "primary" | "secondary" | "higher";
                    name: string;
                    /**
                     * @description The position among the siblings; last by default
                     * @example 0
                     */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "externalId": null,
                     *         "name": "Grade 5",
                     *         "description": "Ten to eleven years old",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "level": "primary",
                     *         "educationLevelId": "lv4a98xxat96iws9zmbrgj3a"
                     *       },
                     *       "message": "Grade created"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Grade"];
                        /**
                         * @description A message for humans
                         * @example Grade created
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getManagedGrade: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example gr7k20bqpd15nxe3ywtcfu8h
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "externalId": null,
                     *         "name": "Grade 5",
                     *         "description": "Ten to eleven years old",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "level": "primary",
                     *         "educationLevelId": "lv4a98xxat96iws9zmbrgj3a"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Grade"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateGrade: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example gr7k20bqpd15nxe3ywtcfu8h
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Grade 5",
                 *       "description": "Ten to eleven years old",
                 *       "level": "primary"
                 *     }
                 */
                "application/json": {
                    description?: string;
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    educationLevelId?: string;
                    /**
                     * @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.
                     * @example math-7
                     */
                    externalId?: string | null;
                    /**
                     * Format: web-url
                     * @example https://pictures.example/school.png
                     */
                    imageUrl?: string | null;
                    isActive?: boolean;
                    /** @enum {string} */
                    level?: "primary" | "secondary" | "higher";
                    name?: string;
                    /**
                     * @description The position among the siblings; last by default
                     * @example 0
                     */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "externalId": null,
                     *         "name": "Grade 5",
                     *         "description": "Ten to eleven years old",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "level": "primary",
                     *         "educationLevelId": "lv4a98xxat96iws9zmbrgj3a"
                     *       },
                     *       "message": "Grade updated"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Grade"];
                        /**
                         * @description A message for humans
                         * @example Grade updated
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    deleteGrade: {
        parameters: {
            query?: {
                dryRun?: boolean;
            };
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example gr7k20bqpd15nxe3ywtcfu8h
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "deletedAt": "2026-01-20T12:00:00.000Z",
                     *         "deleted": {
                     *           "grades": 0,
                     *           "subjects": 2,
                     *           "topics": 6
                     *         }
                     *       },
                     *       "message": "Grade deleted"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deletion"];
                        /**
                         * @description A message for humans
                         * @example Grade deleted
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    restoreGrade: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example gr7k20bqpd15nxe3ywtcfu8h
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "externalId": null,
                     *         "name": "Grade 5",
                     *         "description": "Ten to eleven years old",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "level": "primary",
                     *         "educationLevelId": "lv4a98xxat96iws9zmbrgj3a"
                     *       },
                     *       "message": "Grade restored"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Grade"];
                        /**
                         * @description A message for humans
                         * @example Grade restored
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    reorderGrades: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parentId": "lv4a98xxat96iws9zmbrgj3a",
                 *       "ids": [
                 *         "gr7k20bqpd15nxe3ywtcfu8h"
                 *       ]
                 *     }
                 */
                "application/json": {
                    ids: string[];
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    parentId: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "parentId": "lv4a98xxat96iws9zmbrgj3a",
                     *         "ids": [
                     *           "gr7k20bqpd15nxe3ywtcfu8h"
                     *         ]
                     *       },
                     *       "message": "Grades reordered"
                     *     }
                     */
                    "application/json": {
                        data: {
                            ids: string[];
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            parentId: string | null;
                        };
                        /**
                         * @description A message for humans
                         * @example Grades reordered
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                mode?: "create" | "upsert" | "mirror";
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt" | "updatedAt" | "status";
                status?: "queued" | "checking" | "importing" | "completed" | "failed" | "cancelled";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "im6k93ksbm27gxc1wrvqzf0d",
                     *           "status": "completed",
                     *           "mode": "upsert",
                     *           "dryRun": false,
                     *           "fileName": "course.zip",
                     *           "percent": 100,
                     *           "counts": {
                     *             "created": 12,
                     *             "updated": 2,
                     *             "unchanged": 30,
                     *             "deleted": 0,
                     *             "media": 4
                     *           },
                     *           "issues": [
                     *             {
                     *               "severity": "warning",
                     *               "pointer": "/levels/0/grades/0/subjects/0/topics/3/video/file",
                     *               "code": "UNSUPPORTED_FORMAT",
                     *               "message": "Unsupported video format: the content of the file does not match its extension"
                     *             }
                     *           ],
                     *           "issueCount": 1,
                     *           "createdBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "finishedAt": "2026-01-12T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Import"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createImport: {
        parameters: {
            query?: {
                /** @description Checks everything and counts, but changes nothing */
                dryRun?: boolean;
                /** @description `create` fails if an item exists. `upsert` creates items and updates those that exist. `mirror` also deletes what is missing: the children that are not in the file, of items that list theirs. */
                mode?: "create" | "upsert" | "mirror";
            };
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 1,
                 *       "levels": [
                 *         {
                 *           "externalId": "primary",
                 *           "name": "Primary school",
                 *           "description": "The first years of learning",
                 *           "grades": [
                 *             {
                 *               "name": "Grade 5",
                 *               "level": "primary",
                 *               "subjects": [
                 *                 {
                 *                   "name": "Mathematics",
                 *                   "topics": [
                 *                     {
                 *                       "name": "Whole numbers",
                 *                       "content": "Natural numbers count: 1, 2, 3."
                 *                     }
                 *                   ]
                 *                 }
                 *               ]
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Curriculum"];
                /**
                 * @example {
                 *       "file": "course.zip"
                 *     }
                 */
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "im6k93ksbm27gxc1wrvqzf0d",
                     *         "status": "queued",
                     *         "mode": "upsert",
                     *         "dryRun": false,
                     *         "fileName": "course.zip",
                     *         "percent": 0,
                     *         "counts": {
                     *           "created": 0,
                     *           "updated": 0,
                     *           "unchanged": 0,
                     *           "deleted": 0,
                     *           "media": 0
                     *         },
                     *         "issues": [],
                     *         "issueCount": 0,
                     *         "createdBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "finishedAt": null
                     *       },
                     *       "message": "Dry run: nothing was imported"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Import"];
                        /**
                         * @description A message for humans
                         * @example Dry run: nothing was imported
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "im6k93ksbm27gxc1wrvqzf0d",
                     *         "status": "queued",
                     *         "mode": "upsert",
                     *         "dryRun": false,
                     *         "fileName": "course.zip",
                     *         "percent": 0,
                     *         "counts": {
                     *           "created": 0,
                     *           "updated": 0,
                     *           "unchanged": 0,
                     *           "deleted": 0,
                     *           "media": 0
                     *         },
                     *         "issues": [],
                     *         "issueCount": 0,
                     *         "createdBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "finishedAt": null
                     *       },
                     *       "message": "Import queued"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Import"];
                        /**
                         * @description A message for humans
                         * @example Import queued
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example im6k93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "im6k93ksbm27gxc1wrvqzf0d",
                     *         "status": "completed",
                     *         "mode": "upsert",
                     *         "dryRun": false,
                     *         "fileName": "course.zip",
                     *         "percent": 100,
                     *         "counts": {
                     *           "created": 12,
                     *           "updated": 2,
                     *           "unchanged": 30,
                     *           "deleted": 0,
                     *           "media": 4
                     *         },
                     *         "issues": [
                     *           {
                     *             "severity": "warning",
                     *             "pointer": "/levels/0/grades/0/subjects/0/topics/3/video/file",
                     *             "code": "UNSUPPORTED_FORMAT",
                     *             "message": "Unsupported video format: the content of the file does not match its extension"
                     *           }
                     *         ],
                     *         "issueCount": 1,
                     *         "createdBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "finishedAt": "2026-01-12T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Import"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example im6k93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "im6k93ksbm27gxc1wrvqzf0d",
                     *         "status": "importing",
                     *         "mode": "upsert",
                     *         "dryRun": false,
                     *         "fileName": "course.zip",
                     *         "percent": 71,
                     *         "counts": {
                     *           "created": 12,
                     *           "updated": 2,
                     *           "unchanged": 30,
                     *           "deleted": 0,
                     *           "media": 4
                     *         },
                     *         "issues": [
                     *           {
                     *             "severity": "warning",
                     *             "pointer": "/levels/0/grades/0/subjects/0/topics/3/video/file",
                     *             "code": "UNSUPPORTED_FORMAT",
                     *             "message": "Unsupported video format: the content of the file does not match its extension"
                     *           }
                     *         ],
                     *         "issueCount": 1,
                     *         "createdBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "finishedAt": null
                     *       },
                     *       "message": "Import is being cancelled"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Import"];
                        /**
                         * @description A message for humans
                         * @example Import is being cancelled
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listManagedLevels: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                /** @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it. */
                externalId?: string;
                /** @description Includes deleted items that are not purged yet */
                includeDeleted?: boolean;
                isActive?: boolean;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "lv4a98xxat96iws9zmbrgj3a",
                     *           "externalId": null,
                     *           "name": "Primary school",
                     *           "description": "The first years of learning",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "imageUrl": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EducationLevel"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createLevel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Primary school",
                 *       "description": "The first years of learning"
                 *     }
                 */
                "application/json": {
                    description: string;
                    /**
                     * @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.
                     * @example math-7
                     */
                    externalId?: string | null;
                    /**
                     * Format: web-url
                     * @example https://pictures.example/school.png
                     */
                    imageUrl?: string | null;
                    isActive?: boolean;
                    name: string;
                    /**
                     * @description The position among the siblings; last by default
                     * @example 0
                     */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "lv4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Primary school",
                     *         "description": "The first years of learning",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null
                     *       },
                     *       "message": "Level created"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EducationLevel"];
                        /**
                         * @description A message for humans
                         * @example Level created
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getManagedLevel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example lv4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "lv4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Primary school",
                     *         "description": "The first years of learning",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EducationLevel"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateLevel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example lv4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Primary school",
                 *       "description": "The first years of learning"
                 *     }
                 */
                "application/json": {
                    description?: string;
                    /**
                     * @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.
                     * @example math-7
                     */
                    externalId?: string | null;
                    /**
                     * Format: web-url
                     * @example https://pictures.example/school.png
                     */
                    imageUrl?: string | null;
                    isActive?: boolean;
                    name?: string;
                    /**
                     * @description The position among the siblings; last by default
                     * @example 0
                     */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "lv4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Primary school",
                     *         "description": "The first years of learning",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null
                     *       },
                     *       "message": "Level updated"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EducationLevel"];
                        /**
                         * @description A message for humans
                         * @example Level updated
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    deleteLevel: {
        parameters: {
            query?: {
                dryRun?: boolean;
            };
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example lv4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "lv4a98xxat96iws9zmbrgj3a",
                     *         "deletedAt": "2026-01-20T12:00:00.000Z",
                     *         "deleted": {
                     *           "grades": 2,
                     *           "subjects": 4,
                     *           "topics": 12
                     *         }
                     *       },
                     *       "message": "Level deleted"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deletion"];
                        /**
                         * @description A message for humans
                         * @example Level deleted
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    restoreLevel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example lv4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "lv4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Primary school",
                     *         "description": "The first years of learning",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null
                     *       },
                     *       "message": "Level restored"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EducationLevel"];
                        /**
                         * @description A message for humans
                         * @example Level restored
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    reorderLevels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parentId": null,
                 *       "ids": [
                 *         "lv4a98xxat96iws9zmbrgj3a"
                 *       ]
                 *     }
                 */
                "application/json": {
                    ids: string[];
                    /** @description Null */
                    parentId: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "parentId": null,
                     *         "ids": [
                     *           "lv4a98xxat96iws9zmbrgj3a"
                     *         ]
                     *       },
                     *       "message": "Levels reordered"
                     *     }
                     */
                    "application/json": {
                        data: {
                            ids: string[];
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            parentId: string | null;
                        };
                        /**
                         * @description A message for humans
                         * @example Levels reordered
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listManagedSubjects: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                educationLevelId?: string;
                /** @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it. */
                externalId?: string;
                gradeId?: string;
                /** @description Includes deleted items that are not purged yet */
                includeDeleted?: boolean;
                isActive?: boolean;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "externalId": null,
                     *           "name": "Mathematics",
                     *           "description": "Numbers, fractions and shapes",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "imageUrl": null,
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *           "mentorId": "user_9k4d",
                     *           "mentorEmail": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subject"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mathematics",
                 *       "description": "Numbers, fractions and shapes",
                 *       "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                 *       "mentorId": "user_9k4d"
                 *     }
                 */
                "application/json": {
                    description: string;
                    /**
                     * @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.
                     * @example math-7
                     */
                    externalId?: string | null;
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    gradeId: string;
                    /**
                     * Format: web-url
                     * @example https://pictures.example/school.png
                     */
                    imageUrl?: string | null;
                    isActive?: boolean;
                    /** @example mentor@lms.test */
                    mentorEmail?: string | null;
                    /**
                     * @description The mentor's identity-provider user id
                     * @example user_2b1c
                     */
                    mentorId?: string | null;
                    name: string;
                    /**
                     * @description The position among the siblings; last by default
                     * @example 0
                     */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "externalId": null,
                     *         "name": "Mathematics",
                     *         "description": "Numbers, fractions and shapes",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "mentorId": "user_9k4d",
                     *         "mentorEmail": null
                     *       },
                     *       "message": "Subject created"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subject"];
                        /**
                         * @description A message for humans
                         * @example Subject created
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getManagedSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "externalId": null,
                     *         "name": "Mathematics",
                     *         "description": "Numbers, fractions and shapes",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "mentorId": "user_9k4d",
                     *         "mentorEmail": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subject"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mathematics",
                 *       "description": "Numbers, fractions and shapes",
                 *       "mentorId": "user_9k4d"
                 *     }
                 */
                "application/json": {
                    description?: string;
                    /**
                     * @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.
                     * @example math-7
                     */
                    externalId?: string | null;
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    gradeId?: string;
                    /**
                     * Format: web-url
                     * @example https://pictures.example/school.png
                     */
                    imageUrl?: string | null;
                    isActive?: boolean;
                    /** @example mentor@lms.test */
                    mentorEmail?: string | null;
                    /**
                     * @description The mentor's identity-provider user id
                     * @example user_2b1c
                     */
                    mentorId?: string | null;
                    name?: string;
                    /**
                     * @description The position among the siblings; last by default
                     * @example 0
                     */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "externalId": null,
                     *         "name": "Mathematics",
                     *         "description": "Numbers, fractions and shapes",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "mentorId": "user_9k4d",
                     *         "mentorEmail": null
                     *       },
                     *       "message": "Subject updated"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subject"];
                        /**
                         * @description A message for humans
                         * @example Subject updated
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    deleteSubject: {
        parameters: {
            query?: {
                dryRun?: boolean;
            };
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "deletedAt": "2026-01-20T12:00:00.000Z",
                     *         "deleted": {
                     *           "grades": 0,
                     *           "subjects": 0,
                     *           "topics": 3
                     *         }
                     *       },
                     *       "message": "Subject deleted"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deletion"];
                        /**
                         * @description A message for humans
                         * @example Subject deleted
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    assignSubjectMentor: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mentorId": "user_9k4d",
                 *       "mentorEmail": "mentor@lms.test"
                 *     }
                 */
                "application/json": {
                    /** @example mentor@lms.test */
                    mentorEmail?: string | null;
                    /**
                     * @description The mentor's identity-provider user id
                     * @example user_2b1c
                     */
                    mentorId?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "externalId": null,
                     *         "name": "Mathematics",
                     *         "description": "Numbers, fractions and shapes",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "mentorId": "user_9k4d",
                     *         "mentorEmail": "mentor@lms.test"
                     *       },
                     *       "message": "Mentor assigned"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subject"];
                        /**
                         * @description A message for humans
                         * @example Mentor assigned
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    restoreSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "externalId": null,
                     *         "name": "Mathematics",
                     *         "description": "Numbers, fractions and shapes",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "mentorId": "user_9k4d",
                     *         "mentorEmail": null
                     *       },
                     *       "message": "Subject restored"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subject"];
                        /**
                         * @description A message for humans
                         * @example Subject restored
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    reorderSubjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parentId": "gr7k20bqpd15nxe3ywtcfu8h",
                 *       "ids": [
                 *         "s5w8r2k6d0p3n7h1v4m9c2xq"
                 *       ]
                 *     }
                 */
                "application/json": {
                    ids: string[];
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    parentId: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "parentId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "ids": [
                     *           "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *         ]
                     *       },
                     *       "message": "Subjects reordered"
                     *     }
                     */
                    "application/json": {
                        data: {
                            ids: string[];
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            parentId: string | null;
                        };
                        /**
                         * @description A message for humans
                         * @example Subjects reordered
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listManagedTopics: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                educationLevelId?: string;
                /** @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it. */
                externalId?: string;
                gradeId?: string;
                /** @description Includes deleted items that are not purged yet */
                includeDeleted?: boolean;
                isActive?: boolean;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                subjectId?: string;
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "tz4a98xxat96iws9zmbrgj3a",
                     *           "externalId": null,
                     *           "name": "Whole numbers",
                     *           "description": "Counting, ordering, the number line",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.",
                     *           "video": {
                     *             "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *             "fileName": "number-line.mp4",
                     *             "mimeType": "video/mp4",
                     *             "size": 1048576,
                     *             "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *             "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *             "durationSeconds": 600,
                     *             "width": 1280,
                     *             "height": 720,
                     *             "hasAudio": true,
                     *             "status": "ready",
                     *             "renditions": [
                     *               {
                     *                 "height": 720,
                     *                 "bandwidth": 2900000
                     *               }
                     *             ],
                     *             "captions": [
                     *               {
                     *                 "language": "en",
                     *                 "label": "English",
                     *                 "kind": "captions",
                     *                 "default": true
                     *               }
                     *             ]
                     *           },
                     *           "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *           "documents": [
                     *             {
                     *               "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *               "name": "Whole numbers",
                     *               "description": "The exercises of this topic",
                     *               "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *               "fileName": "whole-numbers.pdf",
                     *               "mimeType": "application/pdf",
                     *               "size": 48213,
                     *               "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *               "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *               "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *               "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *             }
                     *           ],
                     *           "hasVideo": true,
                     *           "documentCount": 1,
                     *           "access": {
                     *             "granted": true,
                     *             "reason": null
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Topic"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createTopic: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Whole numbers",
                 *       "description": "Counting, ordering, the number line",
                 *       "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.",
                 *       "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq"
                 *     }
                 */
                "application/json": {
                    content: string;
                    description: string;
                    /**
                     * @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.
                     * @example math-7
                     */
                    externalId?: string | null;
                    isActive?: boolean;
                    name: string;
                    /**
                     * @description The position among the siblings; last by default
                     * @example 0
                     */
                    position?: number;
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    subjectId: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tz4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Whole numbers",
                     *         "description": "Counting, ordering, the number line",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.",
                     *         "video": {
                     *           "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *           "fileName": "number-line.mp4",
                     *           "mimeType": "video/mp4",
                     *           "size": 1048576,
                     *           "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *           "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *           "durationSeconds": 600,
                     *           "width": 1280,
                     *           "height": 720,
                     *           "hasAudio": true,
                     *           "status": "ready",
                     *           "renditions": [
                     *             {
                     *               "height": 720,
                     *               "bandwidth": 2900000
                     *             }
                     *           ],
                     *           "captions": [
                     *             {
                     *               "language": "en",
                     *               "label": "English",
                     *               "kind": "captions",
                     *               "default": true
                     *             }
                     *           ]
                     *         },
                     *         "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *         "documents": [
                     *           {
                     *             "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *             "name": "Whole numbers",
                     *             "description": "The exercises of this topic",
                     *             "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *             "fileName": "whole-numbers.pdf",
                     *             "mimeType": "application/pdf",
                     *             "size": 48213,
                     *             "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *             "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *             "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *             "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "hasVideo": true,
                     *         "documentCount": 1,
                     *         "access": {
                     *           "granted": true,
                     *           "reason": null
                     *         }
                     *       },
                     *       "message": "Topic created"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Topic"];
                        /**
                         * @description A message for humans
                         * @example Topic created
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getManagedTopic: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tz4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Whole numbers",
                     *         "description": "Counting, ordering, the number line",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.",
                     *         "video": {
                     *           "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *           "fileName": "number-line.mp4",
                     *           "mimeType": "video/mp4",
                     *           "size": 1048576,
                     *           "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *           "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *           "durationSeconds": 600,
                     *           "width": 1280,
                     *           "height": 720,
                     *           "hasAudio": true,
                     *           "status": "ready",
                     *           "renditions": [
                     *             {
                     *               "height": 720,
                     *               "bandwidth": 2900000
                     *             }
                     *           ],
                     *           "captions": [
                     *             {
                     *               "language": "en",
                     *               "label": "English",
                     *               "kind": "captions",
                     *               "default": true
                     *             }
                     *           ]
                     *         },
                     *         "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *         "documents": [
                     *           {
                     *             "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *             "name": "Whole numbers",
                     *             "description": "The exercises of this topic",
                     *             "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *             "fileName": "whole-numbers.pdf",
                     *             "mimeType": "application/pdf",
                     *             "size": 48213,
                     *             "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *             "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *             "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *             "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "hasVideo": true,
                     *         "documentCount": 1,
                     *         "access": {
                     *           "granted": true,
                     *           "reason": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Topic"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateTopic: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Whole numbers",
                 *       "description": "Counting, ordering, the number line",
                 *       "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one."
                 *     }
                 */
                "application/json": {
                    content?: string;
                    description?: string;
                    /**
                     * @description An id of your choice, unique among the items of a kind that are not deleted. Imports find the item by it.
                     * @example math-7
                     */
                    externalId?: string | null;
                    isActive?: boolean;
                    name?: string;
                    /**
                     * @description The position among the siblings; last by default
                     * @example 0
                     */
                    position?: number;
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    subjectId?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tz4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Whole numbers",
                     *         "description": "Counting, ordering, the number line",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.",
                     *         "video": {
                     *           "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *           "fileName": "number-line.mp4",
                     *           "mimeType": "video/mp4",
                     *           "size": 1048576,
                     *           "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *           "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *           "durationSeconds": 600,
                     *           "width": 1280,
                     *           "height": 720,
                     *           "hasAudio": true,
                     *           "status": "ready",
                     *           "renditions": [
                     *             {
                     *               "height": 720,
                     *               "bandwidth": 2900000
                     *             }
                     *           ],
                     *           "captions": [
                     *             {
                     *               "language": "en",
                     *               "label": "English",
                     *               "kind": "captions",
                     *               "default": true
                     *             }
                     *           ]
                     *         },
                     *         "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *         "documents": [
                     *           {
                     *             "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *             "name": "Whole numbers",
                     *             "description": "The exercises of this topic",
                     *             "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *             "fileName": "whole-numbers.pdf",
                     *             "mimeType": "application/pdf",
                     *             "size": 48213,
                     *             "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *             "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *             "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *             "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "hasVideo": true,
                     *         "documentCount": 1,
                     *         "access": {
                     *           "granted": true,
                     *           "reason": null
                     *         }
                     *       },
                     *       "message": "Topic updated"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Topic"];
                        /**
                         * @description A message for humans
                         * @example Topic updated
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    deleteTopic: {
        parameters: {
            query?: {
                dryRun?: boolean;
            };
            header?: {
                /** @description The `ETag` of an administrator's response; returns 412 if the item has changed */
                "if-match"?: string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tz4a98xxat96iws9zmbrgj3a",
                     *         "deletedAt": "2026-01-20T12:00:00.000Z",
                     *         "deleted": {
                     *           "grades": 0,
                     *           "subjects": 0,
                     *           "topics": 0
                     *         }
                     *       },
                     *       "message": "Topic deleted"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deletion"];
                        /**
                         * @description A message for humans
                         * @example Topic deleted
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    removeDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example dc3r56vxhw90qmk7tbjygf1n
                 */
                docId: string;
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            topicId: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    restoreTopic: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tz4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Whole numbers",
                     *         "description": "Counting, ordering, the number line",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.",
                     *         "video": {
                     *           "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *           "fileName": "number-line.mp4",
                     *           "mimeType": "video/mp4",
                     *           "size": 1048576,
                     *           "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *           "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *           "durationSeconds": 600,
                     *           "width": 1280,
                     *           "height": 720,
                     *           "hasAudio": true,
                     *           "status": "ready",
                     *           "renditions": [
                     *             {
                     *               "height": 720,
                     *               "bandwidth": 2900000
                     *             }
                     *           ],
                     *           "captions": [
                     *             {
                     *               "language": "en",
                     *               "label": "English",
                     *               "kind": "captions",
                     *               "default": true
                     *             }
                     *           ]
                     *         },
                     *         "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *         "documents": [
                     *           {
                     *             "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *             "name": "Whole numbers",
                     *             "description": "The exercises of this topic",
                     *             "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *             "fileName": "whole-numbers.pdf",
                     *             "mimeType": "application/pdf",
                     *             "size": 48213,
                     *             "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *             "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *             "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *             "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "hasVideo": true,
                     *         "documentCount": 1,
                     *         "access": {
                     *           "granted": true,
                     *           "reason": null
                     *         }
                     *       },
                     *       "message": "Topic restored"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Topic"];
                        /**
                         * @description A message for humans
                         * @example Topic restored
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    replaceVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "video": "number-line.mp4"
                 *     }
                 */
                "multipart/form-data": {
                    /** Format: binary */
                    video: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *         "video": {
                     *           "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *           "fileName": "number-line.mp4",
                     *           "mimeType": "video/mp4",
                     *           "size": 1048576,
                     *           "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *           "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *           "durationSeconds": null,
                     *           "width": null,
                     *           "height": null,
                     *           "hasAudio": null,
                     *           "status": "none",
                     *           "renditions": [],
                     *           "captions": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            topicId: string;
                            video: {
                                captions: {
                                    /** @description True for at most one track of a video */
                                    default: boolean;
                                    /** @enum {string} */
                                    kind: "captions" | "subtitles" | "descriptions" | "chapters";
                                    label: string;
                                    /** @description A BCP 47 language tag */
                                    language: string;
                                }[];
                                checksum: string;
                                durationSeconds: number | null;
                                fileName: string;
                                hasAudio: boolean | null;
                                height: number | null;
                                /**
                                 * @description Opaque identifier
                                 * @example tz4a98xxat96iws9zmbrgj3a
                                 */
                                id: string;
                                mimeType: string;
                                renditions: {
                                    /** @description Bits per second, at most */
                                    bandwidth: number;
                                    height: number;
                                }[];
                                size: number;
                                /**
                                 * @description The state of the processing; `none` where videos are not processed
                                 * @enum {string}
                                 */
                                status: "none" | "queued" | "processing" | "ready" | "failed";
                                /**
                                 * Format: date-time
                                 * @example 2026-01-31T12:00:00.000Z
                                 */
                                uploadedAt: string;
                                width: number | null;
                            };
                            videoUrl: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    removeVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            topicId: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    uploadCaptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /**
                 * @description A BCP 47 language tag, such as `de` or `pt-BR`, in any case
                 * @example en
                 */
                language: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "captions": "number-line.vtt",
                 *       "label": "English",
                 *       "kind": "captions"
                 *     }
                 */
                "multipart/form-data": {
                    /** Format: binary */
                    captions: string;
                    /** @enum {string} */
                    default?: "true" | "false";
                    /** @enum {string} */
                    kind?: "captions" | "subtitles" | "descriptions" | "chapters";
                    label?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "language": "en",
                     *         "label": "English",
                     *         "kind": "captions",
                     *         "default": true,
                     *         "url": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video/captions/en",
                     *         "checksum": "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *         "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description SHA-256 of the stored WebVTT */
                            checksum: string;
                            /** @description True for at most one track of a video */
                            default: boolean;
                            /** @enum {string} */
                            kind: "captions" | "subtitles" | "descriptions" | "chapters";
                            label: string;
                            /** @description A BCP 47 language tag */
                            language: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            topicId: string;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            uploadedAt: string;
                            url: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    removeCaptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /**
                 * @description A BCP 47 language tag, such as `de` or `pt-BR`, in any case
                 * @example en
                 */
                language: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "language": "en"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            language: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            topicId: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    restartVideoProcessing: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "status": "queued",
                     *         "percent": 40
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Why the video cannot be processed; while it is `queued`, why the last attempt failed
                             * @example The file is truncated: it ends after 3 of 10 seconds
                             */
                            error?: string;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            finishedAt?: string;
                            /** @example 40 */
                            percent: number;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            startedAt?: string;
                            /**
                             * @description `none` without a video, and until a worker has seen it, which is always where videos are not processed
                             * @enum {string}
                             */
                            status: "none" | "queued" | "processing" | "ready" | "failed";
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createVideoUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol: `1.0.0`
                 * @example 1.0.0
                 */
                "tus-resumable": string;
                /** @description `sha1` or `sha256`, a space and the Base64 digest of the body. The bytes count only if it matches (else 460). */
                "upload-checksum"?: string;
                /**
                 * @description The size of the file in bytes
                 * @example 1048576
                 */
                "upload-length": string;
                /**
                 * @description Pairs of a name and a Base64 value, separated by commas: `filename`, and for documents `topicId`, `name` and `description`. At most 6 KiB (else 400)
                 * @example filename bnVtYmVyLWxpbmUubXA0
                 */
                "upload-metadata": string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example The bytes of the file */
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the upload */
                    location?: string;
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    /** @description When the upload is deleted, unless more bytes arrive */
                    "upload-expires"?: string;
                    /** @description The number of bytes that are stored */
                    "upload-offset"?: string;
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "up6c93wkrt20fjx5bvqznm8d",
                     *         "status": "receiving",
                     *         "offset": 0,
                     *         "length": 1048576,
                     *         "expiresAt": "2026-01-13T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @description When the upload is deleted, unless more bytes arrive
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            expiresAt: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            /** @description The size of the file */
                            length: number;
                            /** @description The number of bytes that are stored */
                            offset: number;
                            /**
                             * @description `receiving`: bytes are missing; `received`: the file is being checked and attached
                             * @enum {string}
                             */
                            status: "receiving" | "received";
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            460: components["responses"]["ChecksumMismatch"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    describeVideoUploads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    "tus-checksum-algorithm"?: string;
                    /** @description The supported extensions, separated by commas */
                    "tus-extension"?: string;
                    /** @description The maximum size of a file in bytes */
                    "tus-max-size"?: string;
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    "tus-version"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    terminateVideoUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol: `1.0.0`
                 * @example 1.0.0
                 */
                "tus-resumable": string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /**
                 * @description Opaque identifier
                 * @example up6c93wkrt20fjx5bvqznm8d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    "headVideoUpload-head": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol: `1.0.0`
                 * @example 1.0.0
                 */
                "tus-resumable": string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /**
                 * @description Opaque identifier
                 * @example up6c93wkrt20fjx5bvqznm8d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    /** @description When the upload is deleted, unless more bytes arrive */
                    "upload-expires"?: string;
                    "upload-length"?: string;
                    /** @description Pairs of a name and a Base64 value, separated by commas: `filename`, and for documents `topicId`, `name` and `description`. At most 6 KiB (else 400) */
                    "upload-metadata"?: string;
                    /** @description The number of bytes that are stored */
                    "upload-offset"?: string;
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    appendToVideoUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol: `1.0.0`
                 * @example 1.0.0
                 */
                "tus-resumable": string;
                /** @description `sha1` or `sha256`, a space and the Base64 digest of the body. The bytes count only if it matches (else 460). */
                "upload-checksum"?: string;
                /**
                 * @description The number of bytes that are stored
                 * @example 0
                 */
                "upload-offset": string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /**
                 * @description Opaque identifier
                 * @example up6c93wkrt20fjx5bvqznm8d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example The bytes of the file */
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    /** @description When the upload is deleted, unless more bytes arrive */
                    "upload-expires"?: string;
                    /** @description The number of bytes that are stored */
                    "upload-offset"?: string;
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            460: components["responses"]["ChecksumMismatch"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getVideoUploadResult: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /**
                 * @description Opaque identifier
                 * @example up6c93wkrt20fjx5bvqznm8d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *         "video": {
                     *           "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *           "fileName": "number-line.mp4",
                     *           "mimeType": "video/mp4",
                     *           "size": 1048576,
                     *           "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *           "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *           "durationSeconds": null,
                     *           "width": null,
                     *           "height": null,
                     *           "hasAudio": null,
                     *           "status": "none",
                     *           "renditions": [],
                     *           "captions": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            topicId: string;
                            video: {
                                captions: {
                                    /** @description True for at most one track of a video */
                                    default: boolean;
                                    /** @enum {string} */
                                    kind: "captions" | "subtitles" | "descriptions" | "chapters";
                                    label: string;
                                    /** @description A BCP 47 language tag */
                                    language: string;
                                }[];
                                checksum: string;
                                durationSeconds: number | null;
                                fileName: string;
                                hasAudio: boolean | null;
                                height: number | null;
                                /**
                                 * @description Opaque identifier
                                 * @example tz4a98xxat96iws9zmbrgj3a
                                 */
                                id: string;
                                mimeType: string;
                                renditions: {
                                    /** @description Bits per second, at most */
                                    bandwidth: number;
                                    height: number;
                                }[];
                                size: number;
                                /**
                                 * @description The state of the processing; `none` where videos are not processed
                                 * @enum {string}
                                 */
                                status: "none" | "queued" | "processing" | "ready" | "failed";
                                /**
                                 * Format: date-time
                                 * @example 2026-01-31T12:00:00.000Z
                                 */
                                uploadedAt: string;
                                width: number | null;
                            };
                            videoUrl: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "up6c93wkrt20fjx5bvqznm8d",
                     *         "status": "received",
                     *         "offset": 0,
                     *         "length": 1048576,
                     *         "expiresAt": "2026-01-13T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @description When the upload is deleted, unless more bytes arrive
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            expiresAt: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            /** @description The size of the file */
                            length: number;
                            /** @description The number of bytes that are stored */
                            offset: number;
                            /**
                             * @description `receiving`: bytes are missing; `received`: the file is being checked and attached
                             * @enum {string}
                             */
                            status: "receiving" | "received";
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    reorderTopics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parentId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                 *       "ids": [
                 *         "tb8n31vcqe07kys5djwmhr2f",
                 *         "tz4a98xxat96iws9zmbrgj3a"
                 *       ]
                 *     }
                 */
                "application/json": {
                    ids: string[];
                    /**
                     * @description Returns 404 if no such parent exists
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    parentId: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "parentId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "ids": [
                     *           "tb8n31vcqe07kys5djwmhr2f",
                     *           "tz4a98xxat96iws9zmbrgj3a"
                     *         ]
                     *       },
                     *       "message": "Topics reordered"
                     *     }
                     */
                    "application/json": {
                        data: {
                            ids: string[];
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            parentId: string | null;
                        };
                        /**
                         * @description A message for humans
                         * @example Topics reordered
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listAllEnrollments: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "requestedAt" | "decidedAt" | "status" | "createdAt" | "updatedAt";
                status?: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "WITHDRAWN" | "REVOKED" | "EXPIRED";
                subjectId?: string;
                updatedFrom?: string;
                updatedTo?: string;
                userId?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "status": "PENDING",
                     *           "message": "I would like to learn this.",
                     *           "requestedAt": "2026-01-10T12:00:00.000Z",
                     *           "decidedAt": null,
                     *           "decidedBy": null,
                     *           "decisionReason": null,
                     *           "expiresAt": null,
                     *           "endedAt": null,
                     *           "endedBy": null,
                     *           "endReason": null,
                     *           "source": "REQUEST",
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "subject": {
                     *             "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *             "name": "Mathematics",
                     *             "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *           },
                     *           "user": {
                     *             "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "email": "learner@lms.test",
                     *             "firstName": "Lea",
                     *             "lastName": "Learner"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AdminEnrollment"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    enrollUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "us3f67gmzk42tbx8vqpcnd1y",
                 *       "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                 *       "expiresAt": "2099-12-31T23:59:59.999Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description A time in the future; without it the enrollment does not expire
                     * @example 2099-12-31T23:59:59.999Z
                     */
                    expiresAt?: string | null;
                    /** @example tz4a98xxat96iws9zmbrgj3a */
                    subjectId: string;
                    /** @example tz4a98xxat96iws9zmbrgj3a */
                    userId: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "status": "APPROVED",
                     *         "message": null,
                     *         "requestedAt": "2026-01-10T12:00:00.000Z",
                     *         "decidedAt": "2026-01-11T12:00:00.000Z",
                     *         "decidedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "decisionReason": null,
                     *         "expiresAt": "2099-12-31T23:59:59.999Z",
                     *         "endedAt": null,
                     *         "endedBy": null,
                     *         "endReason": null,
                     *         "source": "ADMIN",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subject": {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "name": "Mathematics",
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *         },
                     *         "user": {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "email": "learner@lms.test",
                     *           "firstName": "Lea",
                     *           "lastName": "Learner"
                     *         }
                     *       },
                     *       "message": "User enrolled"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AdminEnrollment"];
                        /**
                         * @description A message for humans
                         * @example User enrolled
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    exportEnrollments: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                status?: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "WITHDRAWN" | "REVOKED" | "EXPIRED";
                subjectId?: string;
                updatedFrom?: string;
                updatedTo?: string;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example email,userId,subjectId,expiresAt,firstName,lastName
                     *     learner@lms.test,us3f67gmzk42tbx8vqpcnd1y,s5w8r2k6d0p3n7h1v4m9c2xq,,Lea,Learner
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    approveEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example en6t93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expiresAt": "2099-12-31T23:59:59.999Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description A time in the future; without it the enrollment does not expire
                     * @example 2099-12-31T23:59:59.999Z
                     */
                    expiresAt?: string | null;
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "status": "APPROVED",
                     *         "message": "I would like to learn this.",
                     *         "requestedAt": "2026-01-10T12:00:00.000Z",
                     *         "decidedAt": "2026-01-11T12:00:00.000Z",
                     *         "decidedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "decisionReason": null,
                     *         "expiresAt": "2099-12-31T23:59:59.999Z",
                     *         "endedAt": null,
                     *         "endedBy": null,
                     *         "endReason": null,
                     *         "source": "REQUEST",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subject": {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "name": "Mathematics",
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *         },
                     *         "user": {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "email": "learner@lms.test",
                     *           "firstName": "Lea",
                     *           "lastName": "Learner"
                     *         }
                     *       },
                     *       "message": "Enrollment approved"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AdminEnrollment"];
                        /**
                         * @description A message for humans
                         * @example Enrollment approved
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    rejectEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example en6t93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The course is full."
                 *     }
                 */
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "status": "REJECTED",
                     *         "message": "I would like to learn this.",
                     *         "requestedAt": "2026-01-10T12:00:00.000Z",
                     *         "decidedAt": "2026-01-11T12:00:00.000Z",
                     *         "decidedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "decisionReason": "The course is full.",
                     *         "expiresAt": null,
                     *         "endedAt": null,
                     *         "endedBy": null,
                     *         "endReason": null,
                     *         "source": "REQUEST",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subject": {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "name": "Mathematics",
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *         },
                     *         "user": {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "email": "learner@lms.test",
                     *           "firstName": "Lea",
                     *           "lastName": "Learner"
                     *         }
                     *       },
                     *       "message": "Enrollment rejected"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AdminEnrollment"];
                        /**
                         * @description A message for humans
                         * @example Enrollment rejected
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    revokeEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example en6t93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Left the school."
                 *     }
                 */
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "status": "REVOKED",
                     *         "message": "I would like to learn this.",
                     *         "requestedAt": "2026-01-10T12:00:00.000Z",
                     *         "decidedAt": "2026-01-11T12:00:00.000Z",
                     *         "decidedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "decisionReason": null,
                     *         "expiresAt": null,
                     *         "endedAt": "2026-01-20T12:00:00.000Z",
                     *         "endedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "endReason": "Left the school.",
                     *         "source": "REQUEST",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subject": {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "name": "Mathematics",
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *         },
                     *         "user": {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "email": "learner@lms.test",
                     *           "firstName": "Lea",
                     *           "lastName": "Learner"
                     *         }
                     *       },
                     *       "message": "Enrollment revoked"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AdminEnrollment"];
                        /**
                         * @description A message for humans
                         * @example Enrollment revoked
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    decideEnrollments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "approve",
                 *       "ids": [
                 *         "en6t93ksbm27gxc1wrvqzf0d",
                 *         "unknown"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    action: "approve" | "reject" | "revoke";
                    ids: string[];
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *           "ok": true
                     *         },
                     *         {
                     *           "id": "unknown",
                     *           "ok": false,
                     *           "code": "NOT_FOUND",
                     *           "error": "Enrollment not found"
                     *         }
                     *       ],
                     *       "message": "498 of 500 enrollments approved"
                     *     }
                     */
                    "application/json": {
                        data: {
                            code?: string;
                            details?: unknown;
                            error?: string;
                            id: string;
                            ok: boolean;
                        }[];
                        /**
                         * @description A message for humans
                         * @example 498 of 500 enrollments approved
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    importRoster: {
        parameters: {
            query?: {
                dryRun?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "roster.csv"
                 *     }
                 */
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
                /**
                 * @example email,subjectExternalId,expiresAt
                 *     learner@lms.test,algebra-1,2099-12-31
                 *     unknown@lms.test,algebra-1,
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "dryRun": false,
                     *         "counts": {
                     *           "lines": 2,
                     *           "created": 1,
                     *           "approved": 0,
                     *           "unchanged": 0,
                     *           "failed": 1
                     *         },
                     *         "results": [
                     *           {
                     *             "line": 2,
                     *             "ok": true,
                     *             "status": "created",
                     *             "enrollmentId": "en6t93ksbm27gxc1wrvqzf0d"
                     *           },
                     *           {
                     *             "line": 3,
                     *             "ok": false,
                     *             "code": "NOT_FOUND",
                     *             "error": "User not found"
                     *           }
                     *         ]
                     *       },
                     *       "message": "2 of 3 lines are enrolled"
                     *     }
                     */
                    "application/json": {
                        data: {
                            counts: {
                                approved: number;
                                created: number;
                                failed: number;
                                lines: number;
                                unchanged: number;
                            };
                            dryRun: boolean;
                            results: components["schemas"]["RosterLineResult"][];
                        };
                        /**
                         * @description A message for humans
                         * @example 2 of 3 lines are enrolled
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listPendingEnrollments: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "requestedAt" | "decidedAt" | "status" | "createdAt" | "updatedAt";
                subjectId?: string;
                updatedFrom?: string;
                updatedTo?: string;
                userId?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "status": "PENDING",
                     *           "message": "I would like to learn this.",
                     *           "requestedAt": "2026-01-10T12:00:00.000Z",
                     *           "decidedAt": null,
                     *           "decidedBy": null,
                     *           "decisionReason": null,
                     *           "expiresAt": null,
                     *           "endedAt": null,
                     *           "endedBy": null,
                     *           "endReason": null,
                     *           "source": "REQUEST",
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "subject": {
                     *             "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *             "name": "Mathematics",
                     *             "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *           },
                     *           "user": {
                     *             "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "email": "learner@lms.test",
                     *             "firstName": "Lea",
                     *             "lastName": "Learner"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AdminEnrollment"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listMentorApplications: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt";
                status?: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
                updatedFrom?: string;
                updatedTo?: string;
                userId?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "ma1h74rtwc59vkd8pjngbe2z",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "status": "PENDING",
                     *           "motivation": "I have taught mathematics for nine years.",
                     *           "experience": "Secondary school, years 7 to 10",
                     *           "qualifications": "MSc Mathematics",
                     *           "subjectIds": [
                     *             "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *           ],
                     *           "reviewedBy": null,
                     *           "reviewedAt": null,
                     *           "reviewNote": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "user": {
                     *             "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "email": "learner@lms.test",
                     *             "firstName": "Lea",
                     *             "lastName": "Learner"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MentorSubmission"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getMentorApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example ma1h74rtwc59vkd8pjngbe2z
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ma1h74rtwc59vkd8pjngbe2z",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "status": "PENDING",
                     *         "motivation": "I have taught mathematics for nine years.",
                     *         "experience": "Secondary school, years 7 to 10",
                     *         "qualifications": "MSc Mathematics",
                     *         "subjectIds": [
                     *           "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *         ],
                     *         "reviewedBy": null,
                     *         "reviewedAt": null,
                     *         "reviewNote": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "user": {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "email": "learner@lms.test",
                     *           "firstName": "Lea",
                     *           "lastName": "Learner"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MentorSubmission"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    approveMentorApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example ma1h74rtwc59vkd8pjngbe2z
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Welcome!"
                 *     }
                 */
                "application/json": {
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ma1h74rtwc59vkd8pjngbe2z",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "status": "APPROVED",
                     *         "motivation": "I have taught mathematics for nine years.",
                     *         "experience": "Secondary school, years 7 to 10",
                     *         "qualifications": "MSc Mathematics",
                     *         "subjectIds": [
                     *           "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *         ],
                     *         "reviewedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "reviewedAt": "2026-01-12T12:00:00.000Z",
                     *         "reviewNote": "Welcome!",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "user": {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "email": "learner@lms.test",
                     *           "firstName": "Lea",
                     *           "lastName": "Learner"
                     *         }
                     *       },
                     *       "message": "Application approved"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MentorSubmission"];
                        /**
                         * @description A message for humans
                         * @example Application approved
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    rejectMentorApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example ma1h74rtwc59vkd8pjngbe2z
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Please apply again with your certificates."
                 *     }
                 */
                "application/json": {
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ma1h74rtwc59vkd8pjngbe2z",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "status": "REJECTED",
                     *         "motivation": "I have taught mathematics for nine years.",
                     *         "experience": "Secondary school, years 7 to 10",
                     *         "qualifications": "MSc Mathematics",
                     *         "subjectIds": [
                     *           "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *         ],
                     *         "reviewedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "reviewedAt": "2026-01-12T12:00:00.000Z",
                     *         "reviewNote": "Please apply again with your certificates.",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "user": {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "email": "learner@lms.test",
                     *           "firstName": "Lea",
                     *           "lastName": "Learner"
                     *         }
                     *       },
                     *       "message": "Application rejected"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MentorSubmission"];
                        /**
                         * @description A message for humans
                         * @example Application rejected
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listPendingMentorApplications: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "ma1h74rtwc59vkd8pjngbe2z",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "status": "PENDING",
                     *           "motivation": "I have taught mathematics for nine years.",
                     *           "experience": "Secondary school, years 7 to 10",
                     *           "qualifications": "MSc Mathematics",
                     *           "subjectIds": [
                     *             "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *           ],
                     *           "reviewedBy": null,
                     *           "reviewedAt": null,
                     *           "reviewNote": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "user": {
                     *             "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "email": "learner@lms.test",
                     *             "firstName": "Lea",
                     *             "lastName": "Learner"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MentorSubmission"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "identityProviderId": "user_2b1c",
                     *         "email": "learner@lms.test",
                     *         "emailVerified": true,
                     *         "firstName": "Lea",
                     *         "lastName": "Learner",
                     *         "status": "ACTIVE",
                     *         "statusReason": null,
                     *         "plan": "FREE",
                     *         "roles": [
                     *           "LEARNER"
                     *         ],
                     *         "userRoles": [
                     *           {
                     *             "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *             "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "role": "LEARNER",
                     *             "isActive": true,
                     *             "assignedBy": null,
                     *             "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *             "effectiveEndDate": null
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Lea",
                 *       "lastName": "Learner"
                 *     }
                 */
                "application/json": {
                    firstName?: string | null;
                    lastName?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "identityProviderId": "user_2b1c",
                     *         "email": "learner@lms.test",
                     *         "emailVerified": true,
                     *         "firstName": "Lea",
                     *         "lastName": "Learner",
                     *         "status": "ACTIVE",
                     *         "statusReason": null,
                     *         "plan": "FREE",
                     *         "roles": [
                     *           "LEARNER"
                     *         ],
                     *         "userRoles": [
                     *           {
                     *             "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *             "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "role": "LEARNER",
                     *             "isActive": true,
                     *             "assignedBy": null,
                     *             "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *             "effectiveEndDate": null
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       },
                     *       "message": "Profile updated"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                        /**
                         * @description A message for humans
                         * @example Profile updated
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    exportProfile: {
        parameters: {
            query?: {
                format?: "json" | "zip";
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "exportedAt": "2026-01-31T12:00:00.000Z",
                     *         "user": {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "identityProviderId": "user_2b1c",
                     *           "email": "learner@lms.test",
                     *           "emailVerified": true,
                     *           "firstName": "Lea",
                     *           "lastName": "Learner",
                     *           "status": "ACTIVE",
                     *           "statusReason": null,
                     *           "plan": "FREE",
                     *           "roles": [
                     *             "LEARNER"
                     *           ],
                     *           "userRoles": [
                     *             {
                     *               "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *               "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *               "role": "LEARNER",
                     *               "isActive": true,
                     *               "assignedBy": null,
                     *               "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *               "effectiveEndDate": null
                     *             }
                     *           ],
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z"
                     *         },
                     *         "mentorApplications": [],
                     *         "changes": [],
                     *         "content": {
                     *           "subjects": []
                     *         },
                     *         "media": {
                     *           "uploads": []
                     *         },
                     *         "enrollment": {
                     *           "enrollments": [],
                     *           "progress": [],
                     *           "notes": []
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description Changes that admins made to the caller, oldest first */
                            changes: unknown[];
                            /** @description The data of the service of the same name */
                            content: unknown;
                            /** @description The data of the service of the same name */
                            enrollment: unknown;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            exportedAt: string;
                            /** @description The data of the service of the same name */
                            media: unknown;
                            /** @description The mentor applications of the caller */
                            mentorApplications: unknown[];
                            user: components["schemas"]["User"];
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                    "application/zip": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    syncUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "user_2b1c",
                 *       "email": "learner@lms.test",
                 *       "firstName": "Lea",
                 *       "lastName": "Learner"
                 *     }
                 */
                "application/json": {
                    /** @example learner@lms.test */
                    email: string;
                    firstName?: string | null;
                    lastName?: string | null;
                    /**
                     * @description The identity provider's user id
                     * @example user_2b1c
                     */
                    userId: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "identityProviderId": "user_2b1c",
                     *         "email": "learner@lms.test",
                     *         "emailVerified": true,
                     *         "firstName": "Lea",
                     *         "lastName": "Learner",
                     *         "status": "ACTIVE",
                     *         "plan": "FREE",
                     *         "roles": [
                     *           "LEARNER"
                     *         ],
                     *         "userRoles": [
                     *           {
                     *             "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *             "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "role": "LEARNER",
                     *             "isActive": true,
                     *             "assignedBy": null,
                     *             "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *             "effectiveEndDate": null
                     *           }
                     *         ],
                     *         "synced": true
                     *       },
                     *       "message": "User synchronised"
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            createdAt?: string;
                            email?: string;
                            emailVerified?: boolean;
                            firstName?: string | null;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            identityProviderId: string;
                            lastName?: string | null;
                            /** @enum {string} */
                            plan?: "FREE" | "PRO" | "ENTERPRISE";
                            /** @description The active roles */
                            roles?: ("LEARNER" | "MENTOR" | "ADMIN")[];
                            /** @enum {string} */
                            status?: "ACTIVE" | "INACTIVE" | "SUSPENDED";
                            statusReason?: string | null;
                            /** @description True once the provider or one of its tokens has confirmed the account */
                            synced: boolean;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            updatedAt?: string;
                            /** @description All role assignments, active and ended, newest first */
                            userRoles?: components["schemas"]["UserRole"][];
                        };
                        /**
                         * @description A message for humans
                         * @example User synchronised
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "identityProviderId": "user_2b1c",
                     *         "email": "learner@lms.test",
                     *         "emailVerified": true,
                     *         "firstName": "Lea",
                     *         "lastName": "Learner",
                     *         "status": "ACTIVE",
                     *         "plan": "FREE",
                     *         "roles": [
                     *           "LEARNER"
                     *         ],
                     *         "userRoles": [
                     *           {
                     *             "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *             "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "role": "LEARNER",
                     *             "isActive": true,
                     *             "assignedBy": null,
                     *             "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *             "effectiveEndDate": null
                     *           }
                     *         ],
                     *         "synced": true
                     *       },
                     *       "message": "User synchronised"
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            createdAt?: string;
                            email?: string;
                            emailVerified?: boolean;
                            firstName?: string | null;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            identityProviderId: string;
                            lastName?: string | null;
                            /** @enum {string} */
                            plan?: "FREE" | "PRO" | "ENTERPRISE";
                            /** @description The active roles */
                            roles?: ("LEARNER" | "MENTOR" | "ADMIN")[];
                            /** @enum {string} */
                            status?: "ACTIVE" | "INACTIVE" | "SUSPENDED";
                            statusReason?: string | null;
                            /** @description True once the provider or one of its tokens has confirmed the account */
                            synced: boolean;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            updatedAt?: string;
                            /** @description All role assignments, active and ended, newest first */
                            userRoles?: components["schemas"]["UserRole"][];
                        };
                        /**
                         * @description A message for humans
                         * @example User synchronised
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "plan": "FREE",
                     *         "period": {
                     *           "start": "2026-01-01T00:00:00.000Z",
                     *           "end": "2026-02-01T00:00:00.000Z"
                     *         },
                     *         "apiCalls": {
                     *           "used": 214,
                     *           "limit": 1000
                     *         },
                     *         "uploads": {
                     *           "used": 3,
                     *           "limit": 10
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            apiCalls: {
                                /** @description null: unlimited */
                                limit: number | null;
                                used: number;
                            };
                            period: {
                                /**
                                 * Format: date-time
                                 * @example 2026-01-31T12:00:00.000Z
                                 */
                                end: string;
                                /**
                                 * Format: date-time
                                 * @example 2026-01-31T12:00:00.000Z
                                 */
                                start: string;
                            };
                            /** @enum {string} */
                            plan: "FREE" | "PRO" | "ENTERPRISE";
                            uploads: {
                                /** @description null: unlimited */
                                limit: number | null;
                                used: number;
                            };
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    downloadExport: {
        parameters: {
            query: {
                /**
                 * @description Part of `downloadUrl`
                 * @example 1769860800000.signature
                 */
                token: string;
            };
            header?: {
                /** @description Entity tags; 412 if none of them is current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Entity tag or date of the bytes already downloaded; if it differs, the whole is returned */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description One range of bytes, as in `bytes=0-1023`; several ranges return the whole */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example ex6t93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getGrade: {
        parameters: {
            query?: {
                /** @description Adds `subjects`: the outlines of the active children, ordered by `position`, then `name`, at most 100. Any other relation returns 422. Use the tree to read more than one generation. */
                include?: "subjects";
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example gr7k20bqpd15nxe3ywtcfu8h
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "externalId": null,
                     *         "name": "Grade 5",
                     *         "description": "Ten to eleven years old",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "level": "primary",
                     *         "educationLevelId": "lv4a98xxat96iws9zmbrgj3a",
                     *         "subjects": [
                     *           {
                     *             "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *             "externalId": null,
                     *             "name": "Mathematics",
                     *             "description": "Numbers, fractions and shapes",
                     *             "position": 0,
                     *             "isActive": true,
                     *             "deletedAt": null,
                     *             "createdAt": "2026-01-10T12:00:00.000Z",
                     *             "updatedAt": "2026-01-12T12:00:00.000Z",
                     *             "imageUrl": null,
                     *             "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *             "mentorId": "user_9k4d",
                     *             "mentorEmail": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["GradeWithSubjects"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listSubjects: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example gr7k20bqpd15nxe3ywtcfu8h
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "externalId": null,
                     *           "name": "Mathematics",
                     *           "description": "Numbers, fractions and shapes",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "imageUrl": null,
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *           "mentorId": "user_9k4d",
                     *           "mentorEmail": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subject"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listLevels: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "lv4a98xxat96iws9zmbrgj3a",
                     *           "externalId": null,
                     *           "name": "Primary school",
                     *           "description": "The first years of learning",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "imageUrl": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EducationLevel"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getLevel: {
        parameters: {
            query?: {
                /** @description Adds `grades`: the outlines of the active children, ordered by `position`, then `name`, at most 100. Any other relation returns 422. Use the tree to read more than one generation. */
                include?: "grades";
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example lv4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "lv4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Primary school",
                     *         "description": "The first years of learning",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "grades": [
                     *           {
                     *             "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *             "externalId": null,
                     *             "name": "Grade 5",
                     *             "description": "Ten to eleven years old",
                     *             "position": 0,
                     *             "isActive": true,
                     *             "deletedAt": null,
                     *             "createdAt": "2026-01-10T12:00:00.000Z",
                     *             "updatedAt": "2026-01-12T12:00:00.000Z",
                     *             "imageUrl": null,
                     *             "level": "primary",
                     *             "educationLevelId": "lv4a98xxat96iws9zmbrgj3a"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EducationLevelWithGrades"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listGrades: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                level?: "primary" | "secondary" | "higher";
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example lv4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *           "externalId": null,
                     *           "name": "Grade 5",
                     *           "description": "Ten to eleven years old",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "imageUrl": null,
                     *           "level": "primary",
                     *           "educationLevelId": "lv4a98xxat96iws9zmbrgj3a"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Grade"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    searchEducation: {
        parameters: {
            query: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @example fractions */
                q: string;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "relevance" | "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "type": "topic",
                     *           "id": "tz4a98xxat96iws9zmbrgj3a",
                     *           "name": "Whole numbers",
                     *           "description": "Counting, ordering, the number line",
                     *           "path": [
                     *             {
                     *               "type": "level",
                     *               "id": "lv4a98xxat96iws9zmbrgj3a",
                     *               "name": "Primary school"
                     *             },
                     *             {
                     *               "type": "grade",
                     *               "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *               "name": "Grade 5"
                     *             },
                     *             {
                     *               "type": "subject",
                     *               "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *               "name": "Mathematics"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SearchHit"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getSubject: {
        parameters: {
            query?: {
                /** @description Adds `topics`: the outlines of the active children, ordered by `position`, then `name`, at most 100. Any other relation returns 422. Use the tree to read more than one generation. */
                include?: "topics";
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "externalId": null,
                     *         "name": "Mathematics",
                     *         "description": "Numbers, fractions and shapes",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "imageUrl": null,
                     *         "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *         "mentorId": "user_9k4d",
                     *         "mentorEmail": null,
                     *         "topics": [
                     *           {
                     *             "id": "tz4a98xxat96iws9zmbrgj3a",
                     *             "externalId": null,
                     *             "name": "Whole numbers",
                     *             "description": "Counting, ordering, the number line",
                     *             "position": 0,
                     *             "isActive": true,
                     *             "deletedAt": null,
                     *             "createdAt": "2026-01-10T12:00:00.000Z",
                     *             "updatedAt": "2026-01-12T12:00:00.000Z",
                     *             "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *             "hasVideo": true,
                     *             "documentCount": 1,
                     *             "access": {
                     *               "granted": false,
                     *               "reason": "ENROLLMENT_REQUIRED"
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SubjectWithTopics"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listTopics: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "tz4a98xxat96iws9zmbrgj3a",
                     *           "externalId": null,
                     *           "name": "Whole numbers",
                     *           "description": "Counting, ordering, the number line",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.",
                     *           "video": {
                     *             "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *             "fileName": "number-line.mp4",
                     *             "mimeType": "video/mp4",
                     *             "size": 1048576,
                     *             "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *             "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *             "durationSeconds": 600,
                     *             "width": 1280,
                     *             "height": 720,
                     *             "hasAudio": true,
                     *             "status": "ready",
                     *             "renditions": [
                     *               {
                     *                 "height": 720,
                     *                 "bandwidth": 2900000
                     *               }
                     *             ],
                     *             "captions": [
                     *               {
                     *                 "language": "en",
                     *                 "label": "English",
                     *                 "kind": "captions",
                     *                 "default": true
                     *               }
                     *             ]
                     *           },
                     *           "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *           "documents": [
                     *             {
                     *               "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *               "name": "Whole numbers",
                     *               "description": "The exercises of this topic",
                     *               "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *               "fileName": "whole-numbers.pdf",
                     *               "mimeType": "application/pdf",
                     *               "size": 48213,
                     *               "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *               "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *               "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *               "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *             }
                     *           ],
                     *           "hasVideo": true,
                     *           "documentCount": 1,
                     *           "access": {
                     *             "granted": true,
                     *             "reason": null
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Topic"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTopic: {
        parameters: {
            query?: {
                /** @description Topics have no relations; any value returns 422 */
                include?: unknown;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "tz4a98xxat96iws9zmbrgj3a",
                     *         "externalId": null,
                     *         "name": "Whole numbers",
                     *         "description": "Counting, ordering, the number line",
                     *         "position": 0,
                     *         "isActive": true,
                     *         "deletedAt": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "content": "Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one.",
                     *         "video": {
                     *           "id": "vd8m20gtfk61zbr4xcwnpe9j",
                     *           "fileName": "number-line.mp4",
                     *           "mimeType": "video/mp4",
                     *           "size": 1048576,
                     *           "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *           "uploadedAt": "2026-01-12T12:00:00.000Z",
                     *           "durationSeconds": 600,
                     *           "width": 1280,
                     *           "height": 720,
                     *           "hasAudio": true,
                     *           "status": "ready",
                     *           "renditions": [
                     *             {
                     *               "height": 720,
                     *               "bandwidth": 2900000
                     *             }
                     *           ],
                     *           "captions": [
                     *             {
                     *               "language": "en",
                     *               "label": "English",
                     *               "kind": "captions",
                     *               "default": true
                     *             }
                     *           ]
                     *         },
                     *         "videoUrl": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video",
                     *         "documents": [
                     *           {
                     *             "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *             "name": "Whole numbers",
                     *             "description": "The exercises of this topic",
                     *             "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *             "fileName": "whole-numbers.pdf",
                     *             "mimeType": "application/pdf",
                     *             "size": 48213,
                     *             "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *             "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *             "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *             "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "hasVideo": true,
                     *         "documentCount": 1,
                     *         "access": {
                     *           "granted": true,
                     *           "reason": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Topic"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    streamVideo: {
        parameters: {
            query?: {
                /** @description `1` or `true` sends the file as an attachment */
                download?: "0" | "1" | "false" | "true";
                /** @description The token of a playback URL, instead of a bearer token */
                playback?: string;
            };
            header?: {
                /** @description Entity tags; 412 if none of them is current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Entity tag or date of the bytes already downloaded; if it differs, the whole is returned */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description One range of bytes, as in `bytes=0-1023`; several ranges return the whole */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getCaptions: {
        parameters: {
            query?: {
                /** @description The token of a playback URL, instead of a bearer token */
                playback?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
                /**
                 * @description A BCP 47 language tag, such as `de` or `pt-BR`, in any case
                 * @example en
                 */
                language: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    openPlayback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "url": "http://127.0.0.1:8080/api/education/topics/tz4a98xxat96iws9zmbrgj3a/video?playback=q7Yw2pLx9Rk4",
                     *         "expiresAt": "2026-01-12T12:00:00.000Z",
                     *         "expiresInSeconds": 900,
                     *         "hls": "http://127.0.0.1:8080/api/playback/q7Yw2pLx9Rk4/master.m3u8",
                     *         "poster": "http://127.0.0.1:8080/api/playback/q7Yw2pLx9Rk4/poster.jpg",
                     *         "thumbnails": "http://127.0.0.1:8080/api/playback/q7Yw2pLx9Rk4/thumbnails.vtt",
                     *         "captions": [
                     *           {
                     *             "language": "en",
                     *             "label": "English",
                     *             "kind": "captions",
                     *             "default": true,
                     *             "url": "http://127.0.0.1:8080/api/playback/q7Yw2pLx9Rk4/captions/en.vtt"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            captions: {
                                /** @description True for at most one track of a video */
                                default: boolean;
                                /** @enum {string} */
                                kind: "captions" | "subtitles" | "descriptions" | "chapters";
                                label: string;
                                /** @description A BCP 47 language tag */
                                language: string;
                                /** @description For a `<track>` element */
                                url: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            expiresAt: string;
                            /**
                             * @description How long the addresses work, for devices whose clock may be wrong
                             * @example 900
                             */
                            expiresInSeconds: number;
                            /** @description An HLS master playlist; null until the video is processed */
                            hls: string | null;
                            /** @description A JPEG image; null until the video is processed */
                            poster: string | null;
                            /** @description WebVTT that names a part of an image for each moment, for previews while seeking */
                            thumbnails: string | null;
                            /** @description The original file, for a `<video>` element */
                            url: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getVideoProcessing: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "status": "processing",
                     *         "percent": 40,
                     *         "startedAt": "2026-01-12T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Why the video cannot be processed; while it is `queued`, why the last attempt failed
                             * @example The file is truncated: it ends after 3 of 10 seconds
                             */
                            error?: string;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            finishedAt?: string;
                            /** @example 40 */
                            percent: number;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            startedAt?: string;
                            /**
                             * @description `none` without a video, and until a worker has seen it, which is always where videos are not processed
                             * @enum {string}
                             */
                            status: "none" | "queued" | "processing" | "ready" | "failed";
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    readTree: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "lv4a98xxat96iws9zmbrgj3a",
                     *           "name": "Primary school",
                     *           "gradeCount": 1,
                     *           "grades": [
                     *             {
                     *               "id": "gr7k20bqpd15nxe3ywtcfu8h",
                     *               "name": "Grade 5",
                     *               "level": "primary",
                     *               "subjectCount": 1,
                     *               "subjects": [
                     *                 {
                     *                   "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *                   "name": "Mathematics",
                     *                   "topicCount": 3
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TreeLevel"][];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listEnrollments: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "requestedAt" | "decidedAt" | "status" | "createdAt" | "updatedAt";
                status?: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "WITHDRAWN" | "REVOKED" | "EXPIRED";
                subjectId?: string;
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "status": "PENDING",
                     *           "message": "I would like to learn this.",
                     *           "requestedAt": "2026-01-10T12:00:00.000Z",
                     *           "decidedAt": null,
                     *           "decidedBy": null,
                     *           "decisionReason": null,
                     *           "expiresAt": null,
                     *           "endedAt": null,
                     *           "endedBy": null,
                     *           "endReason": null,
                     *           "source": "REQUEST",
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "subject": {
                     *             "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *             "name": "Mathematics",
                     *             "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Enrollment"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example en6t93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "status": "APPROVED",
                     *         "message": "I would like to learn this.",
                     *         "requestedAt": "2026-01-10T12:00:00.000Z",
                     *         "decidedAt": "2026-01-11T12:00:00.000Z",
                     *         "decidedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "decisionReason": null,
                     *         "expiresAt": null,
                     *         "endedAt": null,
                     *         "endedBy": null,
                     *         "endReason": null,
                     *         "source": "REQUEST",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subject": {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "name": "Mathematics",
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Enrollment"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    cancelEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example en6t93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "status": "CANCELLED",
                     *         "message": "I would like to learn this.",
                     *         "requestedAt": "2026-01-10T12:00:00.000Z",
                     *         "decidedAt": null,
                     *         "decidedBy": null,
                     *         "decisionReason": null,
                     *         "expiresAt": null,
                     *         "endedAt": "2026-01-12T12:00:00.000Z",
                     *         "endedBy": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "endReason": null,
                     *         "source": "REQUEST",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subject": {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "name": "Mathematics",
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *         }
                     *       },
                     *       "message": "Enrollment cancelled"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Enrollment"];
                        /**
                         * @description A message for humans
                         * @example Enrollment cancelled
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    withdrawEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example en6t93ksbm27gxc1wrvqzf0d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "status": "WITHDRAWN",
                     *         "message": "I would like to learn this.",
                     *         "requestedAt": "2026-01-10T12:00:00.000Z",
                     *         "decidedAt": "2026-01-11T12:00:00.000Z",
                     *         "decidedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "decisionReason": null,
                     *         "expiresAt": null,
                     *         "endedAt": "2026-01-20T12:00:00.000Z",
                     *         "endedBy": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "endReason": null,
                     *         "source": "REQUEST",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subject": {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "name": "Mathematics",
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *         }
                     *       },
                     *       "message": "Enrollment withdrawn"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Enrollment"];
                        /**
                         * @description A message for humans
                         * @example Enrollment withdrawn
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    requestEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                 *       "message": "I would like to learn this."
                 *     }
                 */
                "application/json": {
                    message?: string | null;
                    /** @example tz4a98xxat96iws9zmbrgj3a */
                    subjectId: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "status": "PENDING",
                     *         "message": "I would like to learn this.",
                     *         "requestedAt": "2026-01-10T12:00:00.000Z",
                     *         "decidedAt": null,
                     *         "decidedBy": null,
                     *         "decisionReason": null,
                     *         "expiresAt": null,
                     *         "endedAt": null,
                     *         "endedBy": null,
                     *         "endReason": null,
                     *         "source": "REQUEST",
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z",
                     *         "subject": {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "name": "Mathematics",
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *         }
                     *       },
                     *       "message": "Enrollment requested"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Enrollment"];
                        /**
                         * @description A message for humans
                         * @example Enrollment requested
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listNotes: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt" | "updatedAt";
                subjectId?: string;
                topicId?: string;
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "nt5c82hjqx36ydw0mzfkrv7b",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *           "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "content": "Every number has a successor.",
                     *           "positionSeconds": 90,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Note"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    changeNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example nt5c82hjqx36ydw0mzfkrv7b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Every natural number has a successor.",
                 *       "positionSeconds": 90
                 *     }
                 */
                "application/json": {
                    content?: string;
                    /** @example 90 */
                    positionSeconds?: number | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "nt5c82hjqx36ydw0mzfkrv7b",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "content": "Every natural number has a successor.",
                     *         "positionSeconds": 90,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       },
                     *       "message": "Note updated"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Note"];
                        /**
                         * @description A message for humans
                         * @example Note updated
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    removeNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example nt5c82hjqx36ydw0mzfkrv7b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "nt5c82hjqx36ydw0mzfkrv7b"
                     *       },
                     *       "message": "Note deleted"
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                        };
                        /**
                         * @description A message for humans
                         * @example Note deleted
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listProgress: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "total": 3,
                     *           "completed": 1,
                     *           "percent": 33,
                     *           "nextTopicId": "tb8n31vcqe07kys5djwmhr2f",
                     *           "topics": [
                     *             {
                     *               "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *               "completed": true,
                     *               "completedAt": "2026-01-14T12:00:00.000Z",
                     *               "positionSeconds": 90,
                     *               "furthestSeconds": 240,
                     *               "durationSeconds": 600
                     *             }
                     *           ],
                     *           "subject": {
                     *             "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *             "name": "Mathematics",
                     *             "gradeId": "gr7k20bqpd15nxe3ywtcfu8h"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LearnedSubject"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getSubjectProgress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "total": 3,
                     *         "completed": 1,
                     *         "percent": 33,
                     *         "nextTopicId": "tb8n31vcqe07kys5djwmhr2f",
                     *         "topics": [
                     *           {
                     *             "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *             "completed": true,
                     *             "completedAt": "2026-01-14T12:00:00.000Z",
                     *             "positionSeconds": 90,
                     *             "furthestSeconds": 240,
                     *             "durationSeconds": 600
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SubjectProgress"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    completeTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "completed": true,
                     *         "completedAt": "2026-01-14T12:00:00.000Z",
                     *         "positionSeconds": 90,
                     *         "furthestSeconds": 240,
                     *         "durationSeconds": 600,
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *       },
                     *       "message": "Topic completed"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TopicProgress"];
                        /**
                         * @description A message for humans
                         * @example Topic completed
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    reopenTopic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "completed": false,
                     *         "completedAt": null,
                     *         "positionSeconds": 90,
                     *         "furthestSeconds": 240,
                     *         "durationSeconds": 600,
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *       },
                     *       "message": "Topic marked as not completed"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TopicProgress"];
                        /**
                         * @description A message for humans
                         * @example Topic marked as not completed
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listTopicNotes: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "nt5c82hjqx36ydw0mzfkrv7b",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *           "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "content": "Every number has a successor.",
                     *           "positionSeconds": 90,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Note"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    writeNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Every number has a successor.",
                 *       "positionSeconds": 90
                 *     }
                 */
                "application/json": {
                    content: string;
                    /** @example 90 */
                    positionSeconds?: number | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "nt5c82hjqx36ydw0mzfkrv7b",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *         "content": "Every number has a successor.",
                     *         "positionSeconds": 90,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       },
                     *       "message": "Note created"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Note"];
                        /**
                         * @description A message for humans
                         * @example Note created
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    keepPosition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "positionSeconds": 90,
                 *       "durationSeconds": 600
                 *     }
                 */
                "application/json": {
                    /** @example 90 */
                    durationSeconds: number;
                    /** @example 90 */
                    positionSeconds: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "completed": false,
                     *         "completedAt": null,
                     *         "positionSeconds": 90,
                     *         "furthestSeconds": 240,
                     *         "durationSeconds": 600,
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TopicProgress"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTopicProgress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example tz4a98xxat96iws9zmbrgj3a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "topicId": "tz4a98xxat96iws9zmbrgj3a",
                     *         "completed": false,
                     *         "completedAt": null,
                     *         "positionSeconds": 90,
                     *         "furthestSeconds": 240,
                     *         "durationSeconds": 600,
                     *         "subjectId": "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TopicProgress"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listOwnMentorApplications: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt";
                status?: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "ma1h74rtwc59vkd8pjngbe2z",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "status": "PENDING",
                     *           "motivation": "I have taught mathematics for nine years.",
                     *           "experience": "Secondary school, years 7 to 10",
                     *           "qualifications": "MSc Mathematics",
                     *           "subjectIds": [
                     *             "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *           ],
                     *           "reviewedBy": null,
                     *           "reviewedAt": null,
                     *           "reviewNote": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MentorApplication"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    withdrawMentorApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example ma1h74rtwc59vkd8pjngbe2z
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ma1h74rtwc59vkd8pjngbe2z",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "status": "WITHDRAWN",
                     *         "motivation": "I have taught mathematics for nine years.",
                     *         "experience": "Secondary school, years 7 to 10",
                     *         "qualifications": "MSc Mathematics",
                     *         "subjectIds": [
                     *           "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *         ],
                     *         "reviewedBy": null,
                     *         "reviewedAt": null,
                     *         "reviewNote": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       },
                     *       "message": "Application withdrawn"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MentorApplication"];
                        /**
                         * @description A message for humans
                         * @example Application withdrawn
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    applyAsMentor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "motivation": "I have taught mathematics for nine years.",
                 *       "experience": "Secondary school, years 7 to 10",
                 *       "qualifications": "MSc Mathematics",
                 *       "subjectIds": [
                 *         "s5w8r2k6d0p3n7h1v4m9c2xq"
                 *       ]
                 *     }
                 */
                "application/json": {
                    experience?: string | null;
                    motivation?: string | null;
                    qualifications?: string | null;
                    subjectIds?: string[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "ma1h74rtwc59vkd8pjngbe2z",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "status": "PENDING",
                     *         "motivation": "I have taught mathematics for nine years.",
                     *         "experience": "Secondary school, years 7 to 10",
                     *         "qualifications": "MSc Mathematics",
                     *         "subjectIds": [
                     *           "s5w8r2k6d0p3n7h1v4m9c2xq"
                     *         ],
                     *         "reviewedBy": null,
                     *         "reviewedAt": null,
                     *         "reviewNote": null,
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       },
                     *       "message": "Application submitted"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MentorApplication"];
                        /**
                         * @description A message for humans
                         * @example Application submitted
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listMentoredSubjects: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "position" | "name" | "createdAt" | "updatedAt";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "s5w8r2k6d0p3n7h1v4m9c2xq",
                     *           "externalId": null,
                     *           "name": "Mathematics",
                     *           "description": "Numbers, fractions and shapes",
                     *           "position": 0,
                     *           "isActive": true,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z",
                     *           "imageUrl": null,
                     *           "gradeId": "gr7k20bqpd15nxe3ywtcfu8h",
                     *           "mentorId": "user_9k4d",
                     *           "mentorEmail": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Subject"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listLearners: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "requestedAt" | "decidedAt" | "status" | "createdAt" | "updatedAt";
                status?: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "WITHDRAWN" | "REVOKED" | "EXPIRED";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "user": {
                     *             "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "email": "learner@lms.test",
                     *             "firstName": "Lea",
                     *             "lastName": "Learner"
                     *           },
                     *           "enrollment": {
                     *             "id": "en6t93ksbm27gxc1wrvqzf0d",
                     *             "status": "APPROVED",
                     *             "requestedAt": "2026-01-10T12:00:00.000Z",
                     *             "decidedAt": "2026-01-11T12:00:00.000Z",
                     *             "expiresAt": null,
                     *             "endedAt": null
                     *           },
                     *           "progress": {
                     *             "total": 3,
                     *             "completed": 1,
                     *             "percent": 33
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Learner"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    exportLearners: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                status?: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "WITHDRAWN" | "REVOKED" | "EXPIRED";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example s5w8r2k6d0p3n7h1v4m9c2xq
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example email,firstName,lastName,userId
                     *     learner@lms.test,Lea,Learner,us3f67gmzk42tbx8vqpcnd1y
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags; 412 if none of them is current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Entity tag or date of the bytes already downloaded; if it differs, the whole is returned */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description One range of bytes, as in `bytes=0-1023`; several ranges return the whole */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /**
                 * @description The number of the segment, from 0
                 * @example 0
                 */
                n: string;
                /**
                 * @description The height of the picture
                 * @example 360
                 */
                rendition: string;
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/iso.segment": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/iso.segment": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackInitialization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags; 412 if none of them is current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Entity tag or date of the bytes already downloaded; if it differs, the whole is returned */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description One range of bytes, as in `bytes=0-1023`; several ranges return the whole */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /**
                 * @description The height of the picture
                 * @example 360
                 */
                rendition: string;
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackPlaylist: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The height of the picture
                 * @example 360
                 */
                rendition: string;
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackCaptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description A BCP 47 language tag
                 * @example en
                 */
                language: string;
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackSubtitles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description A BCP 47 language tag
                 * @example en
                 */
                language: string;
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackMaster: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apple.mpegurl": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackPoster: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags; 412 if none of them is current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Entity tag or date of the bytes already downloaded; if it differs, the whole is returned */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description One range of bytes, as in `bytes=0-1023`; several ranges return the whole */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackSprite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags; 412 if none of them is current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Entity tag or date of the bytes already downloaded; if it differs, the whole is returned */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description One range of bytes, as in `bytes=0-1023`; several ranges return the whole */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getPlaybackThumbnails: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The token in the addresses of a playback
                 * @example pb-7f3a90c2e4
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    streamDocument: {
        parameters: {
            query: {
                /** @description `1` or `true` sends the file as an attachment */
                download?: "0" | "1" | "false" | "true";
                /**
                 * @description The `key` of a document entry
                 * @example documents/dc3r56vxhw90qmk7tbjygf1n
                 */
                key: string;
            };
            header?: {
                /** @description Entity tags; 412 if none of them is current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Entity tag or date of the bytes already downloaded; if it differs, the whole is returned */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description One range of bytes, as in `bytes=0-1023`; several ranges return the whole */
                Range?: components["parameters"]["Range"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Range": components["headers"]["Content-Range"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            416: components["responses"]["RangeNotSatisfiable"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "whole-numbers.pdf",
                 *       "topicId": "tz4a98xxat96iws9zmbrgj3a",
                 *       "metadata": "{\"name\":\"Whole numbers\",\"description\":\"The exercises of this topic\"}"
                 *     }
                 */
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                    /** @description JSON: `{"name"?, "description"?}`, of 1 to 200 and at most 5000 characters (else 422) */
                    metadata: string;
                    /**
                     * @description Opaque identifier
                     * @example tz4a98xxat96iws9zmbrgj3a
                     */
                    topicId: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *         "name": "Whole numbers",
                     *         "description": "The exercises of this topic",
                     *         "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *         "fileName": "whole-numbers.pdf",
                     *         "mimeType": "application/pdf",
                     *         "size": 48213,
                     *         "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *         "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *         "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            checksum: string;
                            description: string;
                            fileName: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            key: string;
                            mimeType: string;
                            name: string;
                            size: number;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            uploadedAt: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            uploadedBy: string;
                            url: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createDocumentUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol: `1.0.0`
                 * @example 1.0.0
                 */
                "tus-resumable": string;
                /** @description `sha1` or `sha256`, a space and the Base64 digest of the body. The bytes count only if it matches (else 460). */
                "upload-checksum"?: string;
                /**
                 * @description The size of the file in bytes
                 * @example 1048576
                 */
                "upload-length": string;
                /**
                 * @description Pairs of a name and a Base64 value, separated by commas: `filename`, and for documents `topicId`, `name` and `description`. At most 6 KiB (else 400)
                 * @example filename d2hvbGUtbnVtYmVycy5wZGY=,topicId dHo0YTk4eHhhdDk2aXdzOXptYnJnajNh
                 */
                "upload-metadata": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example The bytes of the file */
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the upload */
                    location?: string;
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    /** @description When the upload is deleted, unless more bytes arrive */
                    "upload-expires"?: string;
                    /** @description The number of bytes that are stored */
                    "upload-offset"?: string;
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "up6c93wkrt20fjx5bvqznm8d",
                     *         "status": "receiving",
                     *         "offset": 0,
                     *         "length": 1048576,
                     *         "expiresAt": "2026-01-13T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @description When the upload is deleted, unless more bytes arrive
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            expiresAt: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            /** @description The size of the file */
                            length: number;
                            /** @description The number of bytes that are stored */
                            offset: number;
                            /**
                             * @description `receiving`: bytes are missing; `received`: the file is being checked and attached
                             * @enum {string}
                             */
                            status: "receiving" | "received";
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            460: components["responses"]["ChecksumMismatch"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    describeDocumentUploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    "tus-checksum-algorithm"?: string;
                    /** @description The supported extensions, separated by commas */
                    "tus-extension"?: string;
                    /** @description The maximum size of a file in bytes */
                    "tus-max-size"?: string;
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    "tus-version"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            414: components["responses"]["URITooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    terminateDocumentUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol: `1.0.0`
                 * @example 1.0.0
                 */
                "tus-resumable": string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example up6c93wkrt20fjx5bvqznm8d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    "headDocumentUpload-head": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol: `1.0.0`
                 * @example 1.0.0
                 */
                "tus-resumable": string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example up6c93wkrt20fjx5bvqznm8d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    /** @description When the upload is deleted, unless more bytes arrive */
                    "upload-expires"?: string;
                    "upload-length"?: string;
                    /** @description Pairs of a name and a Base64 value, separated by commas: `filename`, and for documents `topicId`, `name` and `description`. At most 6 KiB (else 400) */
                    "upload-metadata"?: string;
                    /** @description The number of bytes that are stored */
                    "upload-offset"?: string;
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    appendToDocumentUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol: `1.0.0`
                 * @example 1.0.0
                 */
                "tus-resumable": string;
                /** @description `sha1` or `sha256`, a space and the Base64 digest of the body. The bytes count only if it matches (else 460). */
                "upload-checksum"?: string;
                /**
                 * @description The number of bytes that are stored
                 * @example 0
                 */
                "upload-offset": string;
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example up6c93wkrt20fjx5bvqznm8d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example The bytes of the file */
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description The version of the protocol: `1.0.0` */
                    "tus-resumable"?: string;
                    /** @description When the upload is deleted, unless more bytes arrive */
                    "upload-expires"?: string;
                    /** @description The number of bytes that are stored */
                    "upload-offset"?: string;
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            423: components["responses"]["Locked"];
            429: components["responses"]["TooManyRequests"];
            460: components["responses"]["ChecksumMismatch"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getDocumentUploadResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example up6c93wkrt20fjx5bvqznm8d
                 */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *         "name": "Whole numbers",
                     *         "description": "The exercises of this topic",
                     *         "key": "documents/dc3r56vxhw90qmk7tbjygf1n",
                     *         "fileName": "whole-numbers.pdf",
                     *         "mimeType": "application/pdf",
                     *         "size": 48213,
                     *         "checksum": "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
                     *         "url": "http://127.0.0.1:8080/api/s3/document/stream?key=documents%2Fdc3r56vxhw90qmk7tbjygf1n",
                     *         "uploadedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "uploadedAt": "2026-01-12T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            checksum: string;
                            description: string;
                            fileName: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            key: string;
                            mimeType: string;
                            name: string;
                            size: number;
                            /**
                             * Format: date-time
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            uploadedAt: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            uploadedBy: string;
                            url: string;
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "dc3r56vxhw90qmk7tbjygf1n",
                     *         "status": "received",
                     *         "offset": 0,
                     *         "length": 1048576,
                     *         "expiresAt": "2026-01-13T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @description When the upload is deleted, unless more bytes arrive
                             * @example 2026-01-31T12:00:00.000Z
                             */
                            expiresAt: string;
                            /**
                             * @description Opaque identifier
                             * @example tz4a98xxat96iws9zmbrgj3a
                             */
                            id: string;
                            /** @description The size of the file */
                            length: number;
                            /** @description The number of bytes that are stored */
                            offset: number;
                            /**
                             * @description `receiving`: bytes are missing; `received`: the file is being checked and attached
                             * @enum {string}
                             */
                            status: "receiving" | "received";
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getCurriculumSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": Record<string, never>;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                plan?: "FREE" | "PRO" | "ENTERPRISE";
                role?: "LEARNER" | "MENTOR" | "ADMIN";
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "createdAt" | "updatedAt" | "email" | "firstName" | "lastName";
                status?: "ACTIVE" | "INACTIVE" | "SUSPENDED";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "identityProviderId": "user_2b1c",
                     *           "email": "learner@lms.test",
                     *           "emailVerified": true,
                     *           "firstName": "Lea",
                     *           "lastName": "Learner",
                     *           "status": "ACTIVE",
                     *           "statusReason": null,
                     *           "plan": "FREE",
                     *           "roles": [
                     *             "LEARNER"
                     *           ],
                     *           "userRoles": [
                     *             {
                     *               "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *               "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *               "role": "LEARNER",
                     *               "isActive": true,
                     *               "assignedBy": null,
                     *               "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *               "effectiveEndDate": null
                     *             }
                     *           ],
                     *           "createdAt": "2026-01-10T12:00:00.000Z",
                     *           "updatedAt": "2026-01-12T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example us3f67gmzk42tbx8vqpcnd1y
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "identityProviderId": "user_2b1c",
                     *         "email": "learner@lms.test",
                     *         "emailVerified": true,
                     *         "firstName": "Lea",
                     *         "lastName": "Learner",
                     *         "status": "ACTIVE",
                     *         "statusReason": null,
                     *         "plan": "FREE",
                     *         "roles": [
                     *           "LEARNER"
                     *         ],
                     *         "userRoles": [
                     *           {
                     *             "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *             "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "role": "LEARNER",
                     *             "isActive": true,
                     *             "assignedBy": null,
                     *             "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *             "effectiveEndDate": null
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example us3f67gmzk42tbx8vqpcnd1y
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Lea",
                 *       "lastName": "Learner",
                 *       "plan": "PRO"
                 *     }
                 */
                "application/json": {
                    firstName?: string | null;
                    lastName?: string | null;
                    /** @enum {string} */
                    plan?: "FREE" | "PRO" | "ENTERPRISE";
                    /** @enum {string} */
                    status?: "ACTIVE" | "INACTIVE" | "SUSPENDED";
                    statusReason?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "identityProviderId": "user_2b1c",
                     *         "email": "learner@lms.test",
                     *         "emailVerified": true,
                     *         "firstName": "Lea",
                     *         "lastName": "Learner",
                     *         "status": "ACTIVE",
                     *         "statusReason": null,
                     *         "plan": "PRO",
                     *         "roles": [
                     *           "LEARNER"
                     *         ],
                     *         "userRoles": [
                     *           {
                     *             "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *             "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *             "role": "LEARNER",
                     *             "isActive": true,
                     *             "assignedBy": null,
                     *             "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *             "effectiveEndDate": null
                     *           }
                     *         ],
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       },
                     *       "message": "User updated"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                        /**
                         * @description A message for humans
                         * @example User updated
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    anonymizeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example us3f67gmzk42tbx8vqpcnd1y
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "identityProviderId": null,
                     *         "email": "anonymized-us3f67gmzk42tbx8vqpcnd1y@invalid",
                     *         "emailVerified": false,
                     *         "firstName": null,
                     *         "lastName": null,
                     *         "status": "INACTIVE",
                     *         "statusReason": null,
                     *         "plan": "FREE",
                     *         "roles": [],
                     *         "userRoles": [],
                     *         "createdAt": "2026-01-10T12:00:00.000Z",
                     *         "updatedAt": "2026-01-12T12:00:00.000Z"
                     *       },
                     *       "message": "User anonymized"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"];
                        /**
                         * @description A message for humans
                         * @example User anonymized
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listUserRoles: {
        parameters: {
            query?: {
                createdFrom?: string;
                createdTo?: string;
                isActive?: boolean;
                limit?: number;
                order?: "asc" | "desc";
                page?: number;
                role?: "LEARNER" | "MENTOR" | "ADMIN";
                /** @description Case-insensitive; %, _ and \ are literal */
                search?: string;
                sort?: "effectiveStartDate";
                updatedFrom?: string;
                updatedTo?: string;
            };
            header?: {
                /** @description Entity tags of cached responses; 304 if one of them is current */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example us3f67gmzk42tbx8vqpcnd1y
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *           "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *           "role": "LEARNER",
                     *           "isActive": true,
                     *           "assignedBy": null,
                     *           "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *           "effectiveEndDate": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "page": 1,
                     *         "limit": 20,
                     *         "total": 1,
                     *         "pages": 1,
                     *         "hasNext": false,
                     *         "hasPrev": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UserRole"][];
                        pagination: components["schemas"]["Pagination"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["URITooLong"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    assignRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request repeatable for 24 hours: the same key and body return the first 2xx response again */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Opaque identifier
                 * @example us3f67gmzk42tbx8vqpcnd1y
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "MENTOR"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    role: "LEARNER" | "MENTOR" | "ADMIN";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "role": "MENTOR",
                     *         "isActive": true,
                     *         "assignedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *         "effectiveEndDate": null
                     *       },
                     *       "message": "Role assigned"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UserRole"];
                        /**
                         * @description A message for humans
                         * @example Role assigned
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    endRole: {
        parameters: {
            query?: {
                role?: "LEARNER" | "MENTOR" | "ADMIN";
            };
            header?: never;
            path: {
                /**
                 * @description Opaque identifier
                 * @example us3f67gmzk42tbx8vqpcnd1y
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "role": "MENTOR"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    role?: "LEARNER" | "MENTOR" | "ADMIN";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Quota-Limit": components["headers"]["X-Quota-Limit"];
                    "X-Quota-Remaining": components["headers"]["X-Quota-Remaining"];
                    "X-Quota-Reset": components["headers"]["X-Quota-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "rl2p48dnyv60fqj7hbkcxw5g",
                     *         "userId": "us3f67gmzk42tbx8vqpcnd1y",
                     *         "role": "MENTOR",
                     *         "isActive": false,
                     *         "assignedBy": "ad9j15wkrh83cme6sxtzgb4u",
                     *         "effectiveStartDate": "2026-01-05T12:00:00.000Z",
                     *         "effectiveEndDate": "2026-01-20T12:00:00.000Z"
                     *       },
                     *       "message": "Role removed"
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UserRole"];
                        /**
                         * @description A message for humans
                         * @example Role removed
                         */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    receiveWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "user.created",
                 *       "data": {
                 *         "id": "user_2b1c",
                 *         "email_addresses": [
                 *           {
                 *             "email_address": "learner@lms.test"
                 *           }
                 *         ],
                 *         "first_name": "Lea"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @example {
                     *       "id": "user_2b1c",
                     *       "email_addresses": [
                     *         {
                     *           "email_address": "learner@lms.test"
                     *         }
                     *       ],
                     *       "first_name": "Lea"
                     *     }
                     */
                    data: unknown;
                    /** @example user.created */
                    type: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "status": "processed"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @enum {string} */
                            status: "processed" | "duplicate" | "ignored" | "stale" | "conflict";
                        };
                        /** @description A message for humans */
                        message?: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
}

UPDATE "users" SET "search_text" = replace(replace("search_text", 'ς', 'σ'), U&'i\0307', 'i') WHERE strpos("search_text", 'ς') > 0 OR strpos("search_text", U&'i\0307') > 0;

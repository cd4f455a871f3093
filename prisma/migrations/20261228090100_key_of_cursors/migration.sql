-- 244 random bits.
INSERT INTO gateway.cursor_key (key) VALUES (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

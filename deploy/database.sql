-- Run once by the superuser of the composition's PostgreSQL, when its volume is first made. The
-- owner makes tables and roles, and is no superuser. The superuser is left without a password: from
-- then on it is reached inside of the container alone (docker compose exec database psql -U postgres).
\getenv password POSTGRES_PASSWORD
CREATE ROLE brickmark LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE brickmark OWNER brickmark;
ALTER ROLE postgres PASSWORD NULL;

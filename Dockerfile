# One image for the API, the worker, the migration and the admin command; docker-compose.yml says which is which.
# Debian and not Alpine: the Temporal SDK has native code for glibc.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The optional dependencies are Postgres for laptops and the native half of the build tools; only the latter is needed.
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY schemas schemas
COPY workflows workflows
COPY activities activities
COPY src src
RUN npm run build

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
# Neither embedded Postgres nor a compiler: workflows are bundled already.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
CMD ["node", "dist/src/bin/api.js"]

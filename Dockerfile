# One image for the API, the worker, the migration and the admin command; docker-compose.yml says which is which.
# Debian and not Alpine: the Temporal SDK has native code for glibc.

FROM node:26.10.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
# The optional dependencies are Postgres for laptops and the native half of the build tools; only the latter is needed.
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY schemas schemas
COPY workflows workflows
COPY activities activities
COPY src src
# Neither embedded Postgres nor a compiler is left: workflows are bundled already.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:26.10.0-trixie-slim
# glibc keeps freed memory apart for each group of threads; two groups are enough.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# `node` by number: Kubernetes checks `runAsNonRoot` without looking a name up.
USER 1000:1000
EXPOSE 3000 9464
CMD ["node", "--max-semi-space-size=8", "dist/src/bin/api.js"]
